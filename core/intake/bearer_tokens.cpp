#include "core/intake/bearer_tokens.h"

#include "core/intake/http_chars.h"
#include "core/intake/http_head.h"
#include "core/intake/http_server.h"

#include <QCryptographicHash>

namespace redrive {

namespace {

constexpr qsizetype kHashSize = 32;
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

bool BearerTokens::isValid() const
{
    return !m_hashes.isEmpty() && std::all_of(m_hashes.begin(), m_hashes.end(), [](const QByteArray& hash) {
        return hash.size() == kHashSize;
    });
}

bool BearerTokens::accepts(QByteArrayView authorization) const
{
    const bool hasScheme =
        authorization.size() > kScheme.size() && sameWord(authorization.first(kScheme.size()), kScheme);
    const QByteArrayView token =
        hasScheme ? http::trimmed(authorization.sliced(kScheme.size())) : authorization;
    const QByteArray hash = sha256(token);
    unsigned known = 0;
    for (const QByteArray& stored : m_hashes)
        known |= unsigned(equalInConstantTime(stored, hash));
    return (known & unsigned(hasScheme)) != 0;
}

} // namespace redrive
