// How numbers, times and ids are written, once for models and widgets. Pure functions, any thread
// (translations excepted: the window thread). Thousands are parted by U+202F, minus is U+2212, unknown is an
// en dash.
#pragma once

#include <QString>

namespace redrive::format {

inline constexpr char16_t kNarrowSpace = u'\u202F';
inline constexpr char16_t kEnDash = u'\u2013';
inline constexpr char16_t kEllipsis = u'\u2026';

enum class Zone { Utc, Local };

QString unknown(); // "–"
QString number(qint64 value);
int plural(qint64 count); // what tr() takes to choose the form of a count, however large that is
QString number(double value, int decimals);         // decimal sign of the locale
QString percent(double fraction, int decimals = 2); // 0.6610 -> "66.10 %" with a narrow space
QString bytes(qint64 count);                        // exact: "1 412 bytes"
QString size(qint64 count);                         // rough: "12 KiB", "50 MiB"

// One unit, for ages in rows: "12 s", "52 min", "3 h", "4 d"; under a second "0 s". Negative counts as 0.
QString age(qint64 ms);
// Two units, for sentences: "42 s", "14 h 21 min", "3 d 2 h".
QString duration(qint64 ms);
// Measured times: "412 ms", "3.2 s", "1 min 4 s".
QString elapsed(qint64 ms);
// For timers: "0:42", "2:31", "1:02:03", "2 d 01:02:03". Rounded up, so that 0 means due.
QString countdown(qint64 ms);

// "14:21:09" when on the same day as now, else "29 Nov 14:21:09", in another year "2025-11-29 14:21:09".
QString clockTime(qint64 utcMs, Zone zone, qint64 nowUtcMs);
// "Mon 30 Nov 2026, 14:21:09.123 UTC", for tooltips and the detail.
QString fullTime(qint64 utcMs, Zone zone);
QString zoneName(Zone zone, qint64 utcMs); // "UTC", "CET"

// "01a22cd4…3346": the first eight and last four characters; ids up to 16 characters stay whole.
QString shortId(const QString& id);
// The first line, without trailing space, control characters replaced by spaces: for cells and single-line
// labels.
QString firstLine(const QString& text);
// `text` made safe for places where Qt guesses rich text (tooltips): escaped, wrapped as a paragraph.
QString plainToolTip(const QString& text);

} // namespace redrive::format
