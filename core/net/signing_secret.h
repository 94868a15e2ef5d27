// Signing secrets are made here, and known by a fingerprint where they must not be shown. Any thread.
#pragma once

#include <QByteArray>
#include <QString>

namespace redrive {

// `whsec_` and the base64 of 32 bytes of the system's own generator.
QByteArray makeSigningSecret();

// Eight hexadecimal digits that stand for a secret in logs and lists: equal for equal secrets, white space
// around them left out. Of a secret that somebody could guess it would confirm the guess, and of none the
// secret can be computed.
QString secretFingerprint(const QByteArray& secret);

} // namespace redrive
