// What senders, and those between them and a receiver, get wrong about signatures, tried one after the other.
// Pure; any thread.
#pragma once

#include "core/net/signature_check.h"
#include "core/net/signature_fields.h"

#include <optional>

namespace redrive {

struct NearMiss
{
    QString key;  // name of the secret
    QString text; // a sentence for people
};

// For a signature that no key fits exactly. Nothing: none of them explains it.
std::optional<NearMiss> nearestMiss(const SignatureFields& read, const HeaderFields& fields,
                                    const QByteArray& body, const QList<NamedSecret>& secrets);

} // namespace redrive
