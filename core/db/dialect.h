// The few places where statements differ between the databases, written in the stores as tokens:
//   {exact:?}      binds bytes that are stored as text, unchanged
//   {bytes:column} reads such a column back as bytes
//   {json:column}  the column where it holds JSON, else NULL; take values out of it by -> and ->>
//   {numbers:?}    the rows of a list that Query::bindNumbers() binds
//   {rowkey}       the row's 64-bit number in insertion order
// Pure.
#pragma once

#include <QStringList>

namespace redrive {

QString sqliteSql(const char* statement);

// What -> and ->> take for a place in JSON: keys, and numbers for places in arrays.
QString jsonPath(const QStringList& keys);

} // namespace redrive
