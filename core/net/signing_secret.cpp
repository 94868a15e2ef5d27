#include "core/net/signing_secret.h"

#include <QCryptographicHash>
#include <QRandomGenerator>

#include <array>

namespace redrive {

namespace {

constexpr char kPurpose[] = "redrive secret fingerprint 1\n"; // so that it is no other program's hash
constexpr int kDigits = 8;

} // namespace

QByteArray makeSigningSecret()
{
    std::array<quint32, 8> words;
    QRandomGenerator::system()->fillRange(words.data(), qsizetype(words.size()));
    const QByteArray bytes(reinterpret_cast<const char*>(words.data()), sizeof words);
    return "whsec_" + bytes.toBase64();
}

QString secretFingerprint(const QByteArray& secret)
{
    const QByteArray hash = QCryptographicHash::hash(kPurpose + secret.trimmed(), QCryptographicHash::Sha256);
    return QString::fromLatin1(hash.toHex().first(kDigits));
}

} // namespace redrive
