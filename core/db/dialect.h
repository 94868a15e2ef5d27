// The few places where statements differ between the databases, written in the stores as tokens:
//   {exact:?}      binds bytes that are stored as text, unchanged
//   {bytes:column} reads such a column back as bytes
//   {rowkey}       the row's 64-bit number in insertion order
// Pure.
#pragma once

#include <QString>

namespace redrive {

QString sqliteSql(const char* statement);

} // namespace redrive
