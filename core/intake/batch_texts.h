// The body of a batch taken apart into the texts of its items, which nothing has checked yet. Views into the
// body. Any thread.
#pragma once

#include <QByteArrayView>
#include <QList>

#include <optional>

namespace redrive::batch_texts {

// Nothing but white space; or an array, else lines.
bool isBlank(QByteArrayView text);
bool isArray(QByteArrayView body);

// One text a line (NDJSON); blank lines are nothing. Stops when it has one more than `most`.
QList<QByteArrayView> lines(QByteArrayView body, qsizetype most);

// The elements of an array as brackets, commas and quotes divide it, so that one that is broken breaks no
// other; they may be empty. Nothing when the array itself is broken: it does not end, or text follows it.
// Stops when it has one more than `most`.
std::optional<QList<QByteArrayView>> elements(QByteArrayView body, qsizetype most);

} // namespace redrive::batch_texts
