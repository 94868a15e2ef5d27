#include "core/base/log.h"

#include "core/base/result.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include <cstdio>
#include <mutex>

namespace redrive {

namespace {

constexpr qsizetype kMaxEntryBytes = 8 * 1024;

struct Sink
{
    std::mutex mutex; // guards the rest
    LogLevel level = LogLevel::Info;
    std::FILE* file = nullptr;
    QByteArray path;
    qint64 written = 0; // to the file, with what it held before
    QStringList secrets;
};

std::FILE* openForAppending(const QByteArray& path)
{
    return std::fopen(path.constData(), "ae");
}

// Where the file cannot be moved away, it grows on: entries are worth more than the limit.
void startNewFile(Sink& s)
{
    s.written = 0;
    if (std::rename(s.path.constData(), (s.path + ".1").constData()) != 0)
        return;
    std::FILE* const next = openForAppending(s.path);
    if (!next)
        return;
    std::fclose(s.file);
    s.file = next;
}

Sink& sink()
{
    static Sink s;
    return s;
}

const char* levelName(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return "debug";
    case LogLevel::Info:
        return "info";
    case LogLevel::Notice:
        return "notice";
    case LogLevel::Warning:
        return "warning";
    case LogLevel::Error:
        break;
    }
    return "error";
}

bool isUnsafe(char16_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029 ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f ||
           c == 0xfeff;
}

QString escaped(QStringView text, bool quotes)
{
    QString out;
    out.reserve(text.size() + 2);
    for (const QChar ch : text) {
        const char16_t c = ch.unicode();
        if (quotes && (c == u'"' || c == u'\\'))
            out += QLatin1Char('\\');
        if (isUnsafe(c))
            out += QStringLiteral("\\u%1").arg(uint(c), 4, 16, QLatin1Char('0'));
        else
            out += ch;
    }
    return out;
}

QString quoted(QStringView text)
{
    QString out = escapedForLog(text);
    return u"\""_s + out + u'"';
}

} // namespace

QString escapedForLog(QStringView text)
{
    return escaped(text, true);
}

QString escapedControls(QStringView text)
{
    return escaped(text, false);
}

void logEvent(LogLevel level, const char* event, std::initializer_list<LogField> fields)
{
    Sink& s = sink();
    std::lock_guard lock(s.mutex);
    if (level < s.level)
        return;
    QString line = QStringLiteral("{\"time\":\"%1\",\"level\":\"%2\",\"event\":\"%3\"")
                       .arg(QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs),
                            QLatin1String(levelName(level)), QLatin1String(event));
    for (const auto& [name, value] : fields) {
        QString shown = value;
        for (const QString& secret : s.secrets)
            shown.replace(secret, QStringLiteral("***"));
        line +=
            u",\""_s + QLatin1String(name) + u"\":"_s + quoted(QStringView(shown).left(kMaxEntryBytes / 2));
    }
    QByteArray bytes = line.toUtf8();
    if (bytes.size() > kMaxEntryBytes) {
        qsizetype cut = kMaxEntryBytes;
        while (cut > 0 && (uchar(bytes[cut]) & 0xc0) == 0x80)
            --cut;
        while (cut > 0 && bytes[cut - 1] == '\\')
            --cut;
        bytes.truncate(cut);
        bytes += "\"";
    }
    bytes += "}\n";
    std::FILE* out = s.file ? s.file : stderr;
    std::fwrite(bytes.constData(), 1, size_t(bytes.size()), out);
    std::fflush(out);
    s.written += bytes.size();
    if (s.file && s.written > kMaxLogFileBytes)
        startNewFile(s);
}

void setLogLevel(LogLevel level)
{
    std::lock_guard lock(sink().mutex);
    sink().level = level;
}

bool setLogFile(const QString& path)
{
    const QByteArray name = QFile::encodeName(path);
    std::FILE* const file = name.isEmpty() ? nullptr : openForAppending(name);
    if (!file && !name.isEmpty())
        return false;
    Sink& s = sink();
    std::lock_guard lock(s.mutex);
    if (s.file)
        std::fclose(s.file);
    s.file = file;
    s.path = name;
    s.written = file ? QFileInfo(path).size() : 0;
    return true;
}

void maskInLog(const QString& secret)
{
    if (secret.size() < 6)
        return;
    std::lock_guard lock(sink().mutex);
    if (!sink().secrets.contains(secret))
        sink().secrets.append(secret);
}

} // namespace redrive
