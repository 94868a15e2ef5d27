// The fields of a request that a signature is made of, by scheme. Pure; any thread.
#pragma once

#include "core/net/pasted_request.h"

#include <QString>
#include <QStringList>

namespace redrive {

struct SignatureFields
{
    QString scheme;      // "Standard Webhooks v1"; empty: no field of any scheme is there
    QStringList missing; // names of fields that were not sent
    QByteArray id;
    QByteArray timestamp;    // as it was sent
    qint64 seconds = 0;      // its value
    QList<QByteArray> codes; // of the signatures in this scheme, 32 bytes each, decoded
    QByteArray signature;    // the field as it was sent
    QString problem;         // what is wrong with the fields, a sentence; empty: nothing
};

// Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature), and the same under the older names
// svix-….
SignatureFields readSignatureFields(const HeaderFields& fields);

} // namespace redrive
