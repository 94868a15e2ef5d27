// What is wrong with a configuration, with the place. Values; any thread. A message never holds the value
// of a secret, nor of any key where somebody may have put one by mistake.
#pragma once

#include <QList>
#include <QString>

namespace redrive {

class ConfigValue;

enum class Severity {
    Error, // nothing starts
    Warning,
    Notice,
};

struct Diagnostic
{
    Severity severity = Severity::Error;
    QString file;
    int line = 0;    // 1-based; 0: the file as a whole
    int column = 0;  // 1-based, in characters
    QString keyPath; // queues.consumers[0].max_retries; may be empty
    QString message; // what is wrong, what is allowed

    // file:line:column: error|warning|notice: key.path: message; one line, no control characters.
    QString text() const;
    bool operator==(const Diagnostic&) const = default;
};

// Collects; never stops at the first.
class Diagnostics final
{
public:
    void add(Diagnostic diagnostic) { m_list.append(std::move(diagnostic)); }

    // At a value.
    void error(const ConfigValue& at, const QString& message);
    void warning(const ConfigValue& at, const QString& message);
    void notice(const ConfigValue& at, const QString& message);
    // At the key in front of a value.
    void warningAtKey(const ConfigValue& at, const QString& message);
    // About a key that is missing from a table.
    void missing(const ConfigValue& table, const QString& key, const QString& message);

    void fileError(const QString& file, const QString& message);
    void fileWarning(const QString& file, const QString& message);

    bool hasErrors() const;
    const QList<Diagnostic>& list() const { return m_list; }
    void append(const Diagnostics& other) { m_list += other.m_list; }

private:
    QList<Diagnostic> m_list;
};

} // namespace redrive
