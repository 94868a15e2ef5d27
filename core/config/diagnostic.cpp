#include "core/config/diagnostic.h"

#include "core/base/result.h"
#include "core/config/config_value.h"
#include "core/config/quoted.h"

#include <algorithm>

namespace redrive {

namespace {

Diagnostic at(Severity severity, const ConfigValue& value, const QString& message)
{
    return {severity, value.file, value.line, value.column, value.keyPath, message};
}

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return u"error"_s;
    case Severity::Warning:
        return u"warning"_s;
    case Severity::Notice:
        return u"notice"_s;
    }
    return {};
}

} // namespace

QString Diagnostic::text() const
{
    QString out;
    if (!file.isEmpty())
        out += printable(file) + u':';
    if (line > 0)
        out += u"%1:%2:"_s.arg(line).arg(column);
    if (!out.isEmpty())
        out += u' ';
    out += severityWord(severity) + u": "_s;
    if (!keyPath.isEmpty())
        out += printable(keyPath) + u": "_s;
    return out + printable(message, 2'000);
}

void Diagnostics::error(const ConfigValue& value, const QString& message)
{
    add(at(Severity::Error, value, message));
}

void Diagnostics::warning(const ConfigValue& value, const QString& message)
{
    add(at(Severity::Warning, value, message));
}

void Diagnostics::notice(const ConfigValue& value, const QString& message)
{
    add(at(Severity::Notice, value, message));
}

void Diagnostics::warningAtKey(const ConfigValue& value, const QString& message)
{
    add({Severity::Warning, value.file, value.keyLine, value.keyColumn, value.keyPath, message});
}

void Diagnostics::missing(const ConfigValue& table, const QString& key, const QString& message)
{
    add({Severity::Error, table.file, table.line, table.column, memberPath(table.keyPath, key), message});
}

void Diagnostics::fileError(const QString& file, const QString& message)
{
    add({Severity::Error, file, 0, 0, {}, message});
}

void Diagnostics::fileWarning(const QString& file, const QString& message)
{
    add({Severity::Warning, file, 0, 0, {}, message});
}

bool Diagnostics::hasErrors() const
{
    return std::any_of(m_list.begin(), m_list.end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::Error; });
}

} // namespace redrive
