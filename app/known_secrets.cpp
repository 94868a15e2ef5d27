#include "app/known_secrets.h"

#include "app/place.h"
#include "app/signature_desk.h"
#include "core/base/bounded_read.h"
#include "core/config/secret_store.h"

#include <QFile>
#include <QFileInfo>

namespace redrive {

namespace {

Result<NamedSecret> secretOfFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorKind::NotFound, u"%1 cannot be read"_s.arg(path), file.errorString());
    REDRIVE_ASSIGN(text, readAtMost(file, kMostSecretBytes, path));
    const QByteArray value = text.trimmed();
    if (value.isEmpty())
        return fail(ErrorKind::InvalidInput, u"%1 holds no secret"_s.arg(path));
    return NamedSecret{QFileInfo(path).fileName(), value, true};
}

} // namespace

// A configuration with errors elsewhere has its secrets too.
QHash<QString, QByteArray> secretsKnownNow(const Invocation& invocation)
{
    return loadSettings(loadRequestOf(invocation)).settings.secrets;
}

Result<QList<NamedSecret>> signingSecrets(const Invocation& invocation)
{
    const QHash<QString, QByteArray> known = secretsKnownNow(invocation);
    const bool asked = !invocation.secretNames.isEmpty() || !invocation.secretFile.isEmpty();
    QList<NamedSecret> secrets;
    for (const QString& name : invocation.secretNames) {
        if (known.value(name).isEmpty())
            return fail(
                ErrorKind::NotFound,
                u"there is no secret '%1': neither in the environment nor in .dev.vars nor kept"_s.arg(name));
        secrets.append({name, known.value(name), true});
    }
    if (!invocation.secretFile.isEmpty()) {
        REDRIVE_ASSIGN(secret, secretOfFile(invocation.secretFile));
        secrets.append(secret);
    }
    for (const QString& name : signingSecretNames(known))
        if (!invocation.secretNames.contains(name))
            secrets.append({name, known.value(name), !asked});
    return secrets;
}

} // namespace redrive
