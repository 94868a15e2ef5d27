// A TLS certificate that signs itself, with its key: for a server that somebody tries things on. Nobody
// trusts it unless told to. Any thread.
#pragma once

#include "core/base/result.h"

#include <QByteArray>

namespace redrive {

struct CertificateWish
{
    QByteArray name = "IP:127.0.0.1,DNS:localhost,IP:0:0:0:0:0:0:0:1"; // subjectAltName
    qint64 startsInSeconds = -3'600;
    qint64 endsInSeconds = 30 * 86'400;
};

struct MadeCertificate
{
    QByteArray certificate; // PEM
    QByteArray key;         // PEM
    qint64 endsAtMs = 0;    // unix
};

Result<MadeCertificate> makeCertificate(const CertificateWish& wish);

} // namespace redrive
