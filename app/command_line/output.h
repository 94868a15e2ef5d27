// What commands print: lines for people, or one JSON object a line. Text from outside can neither start a
// new line nor steer the terminal. The main thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace redrive {

void printLine(const QString& text);    // standard output
void printLine(const QByteArray& utf8); // the same, as it is
void printError(const QString& text);   // standard error, after "redrive: "
void printNotice(const QString& text);  // standard error

class JsonLine final
{
public:
    JsonLine& add(const char* key, const QString& value);
    JsonLine& add(const char* key, const char* value) = delete;
    JsonLine& add(const char* key, qint64 value);
    JsonLine& add(const char* key, int value) { return add(key, qint64(value)); }
    JsonLine& add(const char* key, bool value);
    JsonLine& add(const char* key, const std::optional<qint64>& value); // null when there is none
    JsonLine& addTextOrNull(const char* key, const QString& value);     // null when it is empty
    JsonLine& add(const char* key, const QStringList& values);
    void print() const;

private:
    void key(const char* key);
    QByteArray m_text = "{";
};

// Columns as wide as their content; the last one is not filled up.
class TextTable final
{
public:
    explicit TextTable(QStringList titles) : m_rows{std::move(titles)} {}
    void add(QStringList cells) { m_rows.append(std::move(cells)); }
    void print() const;

private:
    QList<QStringList> m_rows;
};

// 2031-05-02T14:05:10Z; "-" for none.
QString utcText(std::optional<qint64> unixMs);

} // namespace redrive
