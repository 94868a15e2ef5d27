#include "core/net/signature_code.h"

#include <QMessageAuthenticationCode>

namespace redrive {

QByteArray signedPrefix(const QByteArray& id, const QByteArray& timestamp)
{
    return id + '.' + timestamp + '.';
}

QByteArray signatureCode(const QByteArray& key, const QByteArray& prefix, const QByteArray& body)
{
    QMessageAuthenticationCode code(QCryptographicHash::Sha256, key);
    code.addData(prefix);
    code.addData(body);
    return code.result();
}

bool sameCode(const QByteArray& a, const QByteArray& b)
{
    if (a.size() != b.size())
        return false;
    int difference = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

} // namespace redrive
