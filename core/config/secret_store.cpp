#include "core/config/secret_store.h"

#include <QRegularExpression>

namespace redrive {

bool isSecretName(const QString& name)
{
    static const QRegularExpression pattern(u"\\A[A-Za-z_][A-Za-z0-9_]{0,127}\\z"_s);
    return pattern.match(name).hasMatch() && !name.startsWith(u"whsec_");
}

Status checkSecret(const QString& name, const QByteArray& value)
{
    if (!isSecretName(name))
        return fail(
            ErrorKind::InvalidInput,
            u"the name of a secret is made of letters, digits and _, and is never the secret itself"_s);
    if (value.isEmpty())
        return fail(ErrorKind::InvalidInput, u"the secret is empty"_s);
    if (value.size() > kMostSecretBytes || value.contains('\0'))
        return fail(ErrorKind::InvalidInput,
                    u"a secret has at most %1 bytes, not %2, and no NUL among them"_s.arg(kMostSecretBytes)
                        .arg(value.size()));
    return {};
}

} // namespace redrive
