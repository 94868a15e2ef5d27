// Standard Webhooks signatures, version v1. Pure; any thread.
// Source: github.com/standard-webhooks/standard-webhooks, "Signature scheme".
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>

namespace redrive {

struct SigningKey
{
    QByteArray bytes; // 16–64; never shown, never logged
    bool isShort() const { return bytes.size() < 24; }
};

// `whsec_` followed by base64 (padding optional) of 16–64 bytes. Errors never repeat the secret.
Result<SigningKey> parseSigningSecret(const QByteArray& secret);

// The value of `webhook-signature`: one `v1,<base64>` per key, in the order given (newest first), separated
// by a space; empty without keys. `id` holds no '.', `unixSeconds` is this attempt's time.
QByteArray webhookSignature(const QList<SigningKey>& keys, const QByteArray& id, qint64 unixSeconds,
                            const QByteArray& body);

} // namespace redrive
