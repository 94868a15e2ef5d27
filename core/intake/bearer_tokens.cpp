#include "core/intake/bearer_tokens.h"

#include "core/intake/http_chars.h"
#include "core/intake/http_head.h"

#include <QCryptographicHash>

namespace redrive {

namespace {

constexpr QByteArrayView kScheme = "Bearer ";

QByteArray sha256(QByteArrayView text)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(text);
    return hash.result();
}

} // namespace

QByteArray bearerTokenHash(QByteArrayView token)
{
    return token.isEmpty() ? QByteArray() : sha256(token);
}

bool equalInConstantTime(QByteArrayView a, QByteArrayView b)
{
    volatile unsigned char difference = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference = difference | static_cast<unsigned char>(a[i] ^ b[i]);
    return difference == 0;
}

const TokenSecret* BearerTokens::find(QByteArrayView authorization, qint64 nowMs, TokenScope door) const
{
    const bool hasScheme =
        authorization.size() > kScheme.size() && sameWord(authorization.first(kScheme.size()), kScheme);
    const QByteArrayView token =
        hasScheme ? http::trimmed(authorization.sliced(kScheme.size())) : authorization;
    const QByteArray hash = sha256(token);
    qsizetype found = -1;
    for (qsizetype i = 0; i < m_secrets.size(); ++i) {
        const bool opens = door == TokenScope::Ingest || m_secrets[i].opens == TokenScope::Everything;
        const qsizetype mask = -qsizetype(equalInConstantTime(m_secrets[i].sha256, hash) & opens);
        found = (found & ~mask) | (i & mask);
    }
    if (found < 0 || !hasScheme)
        return nullptr;
    const TokenSecret& secret = m_secrets[found];
    return secret.validUntilMs.value_or(nowMs + 1) > nowMs ? &secret : nullptr;
}

} // namespace redrive
