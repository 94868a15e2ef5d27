// The one log sink: JSON lines on standard error or in a file. Control characters, line separators and bidi
// marks are escaped, known secrets are masked, an entry is cut at 8 KiB. Any thread.
#pragma once

#include <QList>
#include <QString>

#include <initializer_list>
#include <utility>

namespace redrive {

enum class LogLevel { Debug, Info, Notice, Warning, Error };

using LogField = std::pair<const char*, QString>;

void logEvent(LogLevel level, const char* event, std::initializer_list<LogField> fields = {});

// Entries below the level are dropped. Default: Info.
void setLogLevel(LogLevel level);
// A full file becomes `path`.1, in place of an earlier one.
inline constexpr qint64 kMaxLogFileBytes = 16 * 1024 * 1024;
// An empty path is standard error.
bool setLogFile(const QString& path);
// From now on the value is written as "***" wherever it stands in an entry. Values under 6 characters are
// ignored.
void maskInLog(const QString& secret);
// Text with what a terminal or a log reader could misread written as \uXXXX.
QString escapedForLog(QStringView text);
// The same, with quotes and backslashes left as they are: for text that is shown and not quoted.
QString escapedControls(QStringView text);

} // namespace redrive
