#include "core/net/signer.h"

#include "core/net/signature_code.h"

namespace redrive {

namespace {

constexpr qsizetype minKeyBytes = 16;
constexpr qsizetype maxKeyBytes = 64;

} // namespace

Result<SigningKey> parseSigningSecret(const QByteArray& secret)
{
    constexpr QByteArrayView marker = "whsec_";
    const QByteArray text = secret.trimmed();
    if (!text.startsWith(marker))
        return fail(ErrorKind::InvalidInput, u"a signing secret must begin with 'whsec_'"_s);

    const auto decoded =
        QByteArray::fromBase64Encoding(text.mid(marker.size()), QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        return fail(ErrorKind::InvalidInput, u"a signing secret must be base64 after 'whsec_'"_s);

    const qsizetype size = decoded.decoded.size();
    if (size < minKeyBytes || size > maxKeyBytes)
        return fail(ErrorKind::InvalidInput,
                    u"a signing secret must hold %1 to %2 bytes, this one holds %3"_s.arg(minKeyBytes)
                        .arg(maxKeyBytes)
                        .arg(size));
    return SigningKey{decoded.decoded};
}

QByteArray webhookSignature(const QList<SigningKey>& keys, const QByteArray& id, qint64 unixSeconds,
                            const QByteArray& body)
{
    const QByteArray prefix = signedPrefix(id, QByteArray::number(unixSeconds));
    QByteArray signatures;
    for (const SigningKey& key : keys) {
        if (!signatures.isEmpty())
            signatures += ' ';
        signatures += "v1," + signatureCode(key.bytes, prefix, body).toBase64();
    }
    return signatures;
}

} // namespace redrive
