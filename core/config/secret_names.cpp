#include "core/config/secret_names.h"

#include "core/base/result.h"
#include "core/config/endpoint_rules.h"

#include <QRegularExpression>

namespace redrive {

namespace {

constexpr qsizetype goodKeyBytes = 24;
constexpr QLatin1StringView signingPrefix("whsec_");

} // namespace

std::optional<QString> readSecretName(const ConfigValue& value, const QHash<QString, QByteArray>& secrets,
                                      Diagnostics& out)
{
    static const QRegularExpression name(u"\\A[A-Za-z_][A-Za-z0-9_]*\\z"_s);
    if (!value.isString()) {
        out.error(value, u"must be the name of a secret, not "_s + value.kindName());
        return {};
    }
    if (!name.match(value.string).hasMatch() || value.string.startsWith(signingPrefix)) {
        out.error(value, u"must be the name of a secret (letters, digits and _), never the secret itself"_s);
        return {};
    }
    const auto secret = secrets.constFind(value.string);
    if (secret == secrets.constEnd()) {
        out.error(
            value,
            u"names a secret that is neither in the environment nor in .dev.vars nor kept by `redrive secrets`"_s);
        return {};
    }
    if (secret->isEmpty()) {
        out.error(value,
                  u"names a secret that is empty; it needs a value in the environment or in .dev.vars, or "
                  "one that `redrive secrets` keeps"_s);
        return {};
    }
    return value.string;
}

std::optional<QString> readSigningSecretName(const ConfigValue& value,
                                             const QHash<QString, QByteArray>& secrets, Diagnostics& out)
{
    auto name = readSecretName(value, secrets, out);
    if (!name)
        return {};
    const auto key = checkSigningSecret(secrets.value(*name));
    if (!key) {
        out.error(value, u"names a secret that cannot sign: "_s + key.error().message);
        return {};
    }
    if (*key < goodKeyBytes) {
        out.warning(value, u"names a signing secret of only %1 bytes; 24 to 64 are recommended"_s.arg(*key));
    }
    return name;
}

} // namespace redrive
