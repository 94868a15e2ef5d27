// Identifiers: UUID version 7 (RFC 9562), so that they sort by the time they were made. Any thread.
#pragma once

#include <QString>

namespace redrive {

// 36 characters, lower case. Later calls of this process never sort before earlier ones, even when the wall
// clock steps back: the time part is clamped and a 12-bit counter counts within a millisecond.
QString newId(qint64 wallMs);

bool looksLikeId(QStringView text);
// The unix milliseconds in an id made by newId(), or -1.
qint64 idTimeMs(QStringView id);

} // namespace redrive
