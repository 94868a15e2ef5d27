#include "app/command_line/output.h"

#include "core/base/json_text.h"
#include "core/base/log.h"

#include <QDateTime>

#include <cstdio>

namespace redrive {

using namespace Qt::Literals::StringLiterals;

namespace {

void write(std::FILE* file, const QByteArray& line)
{
    std::fwrite(line.constData(), 1, size_t(line.size()), file);
    std::fputc('\n', file);
    std::fflush(file);
}

} // namespace

void printLine(const QString& text)
{
    write(stdout, escapedControls(text).toUtf8());
}

void printLine(const QByteArray& utf8)
{
    write(stdout, utf8);
}

void printError(const QString& text)
{
    write(stderr, "redrive: " + escapedControls(text).toUtf8());
}

void printNotice(const QString& text)
{
    write(stderr, escapedControls(text).toUtf8());
}

void JsonLine::key(const char* key)
{
    if (m_text.size() > 1)
        m_text += ',';
    appendJsonString(m_text, QByteArrayView(key));
    m_text += ':';
}

JsonLine& JsonLine::add(const char* name, const QString& value)
{
    key(name);
    appendJsonString(m_text, QStringView(value));
    return *this;
}

JsonLine& JsonLine::add(const char* name, qint64 value)
{
    key(name);
    m_text += QByteArray::number(value);
    return *this;
}

JsonLine& JsonLine::add(const char* name, bool value)
{
    key(name);
    m_text += value ? "true" : "false";
    return *this;
}

JsonLine& JsonLine::add(const char* name, const std::optional<qint64>& value)
{
    if (value)
        return add(name, *value);
    key(name);
    m_text += "null";
    return *this;
}

JsonLine& JsonLine::addTextOrNull(const char* name, const QString& value)
{
    return value.isEmpty() ? add(name, std::optional<qint64>()) : add(name, value);
}

JsonLine& JsonLine::add(const char* name, const QStringList& values)
{
    key(name);
    m_text += '[';
    for (const QString& value : values) {
        if (!m_text.endsWith('['))
            m_text += ',';
        appendJsonString(m_text, QStringView(value));
    }
    m_text += ']';
    return *this;
}

void JsonLine::print() const
{
    // Escapes of the log are escapes of JSON too.
    printLine(QString::fromUtf8(m_text + '}'));
}

void TextTable::print() const
{
    QList<QStringList> rows = m_rows;
    QList<qsizetype> widths(m_rows.first().size(), 0);
    for (QStringList& row : rows)
        for (qsizetype i = 0; i < row.size(); ++i) {
            row[i] = escapedControls(row[i]);
            widths[i] = std::max(widths[i], row[i].size());
        }
    for (const QStringList& row : rows) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i)
            line += i + 1 < row.size() ? row[i].leftJustified(widths[i] + 2) : row[i];
        write(stdout, line.toUtf8());
    }
}

QString utcText(std::optional<qint64> unixMs)
{
    return unixMs ? QDateTime::fromMSecsSinceEpoch(*unixMs, Qt::UTC).toString(Qt::ISODate) : u"-"_s;
}

} // namespace redrive
