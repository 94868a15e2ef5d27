#include "core/config/secret_text.h"

#include "core/config/dev_vars.h"

#include <QStringList>

namespace redrive {

namespace {

QByteArray quotedValue(QByteArray value)
{
    value.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t");
    return '"' + value + '"';
}

} // namespace

QByteArray secretText(const QHash<QString, QByteArray>& secrets)
{
    QStringList names = secrets.keys();
    names.sort();
    QByteArray text = "# Secrets that Redrive keeps: `redrive secrets` changes them.\n";
    for (const QString& name : names)
        text += name.toLatin1() + '=' + quotedValue(secrets.value(name)) + '\n';
    return text;
}

Result<QHash<QString, QByteArray>> readSecretText(const QByteArray& text, const QString& place)
{
    Diagnostics diagnostics;
    auto secrets = parseDevVars(text, place, diagnostics);
    if (diagnostics.list().isEmpty())
        return secrets;
    return fail(ErrorKind::Corrupt, u"the secrets in %1 cannot be read"_s.arg(place),
                diagnostics.list().first().text());
}

} // namespace redrive
