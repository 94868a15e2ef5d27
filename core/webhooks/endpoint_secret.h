// A signing secret made for an endpoint and kept under a name of its own. Any thread.
#pragma once

#include "core/base/result.h"

#include <QByteArray>

#include <functional>

namespace redrive {

// Keeps a value under a name, durably.
using SecretKeeper = std::function<Status(const QString& name, const QByteArray& value)>;

// Removes one again that nobody has seen.
using SecretForgetter = std::function<void(const QString& name)>;

struct MadeSecret
{
    QString name; // WEBHOOK_, the id in capitals, and four random digits
    QByteArray value;
};

// Refused where there is no place to keep it.
Result<MadeSecret> makeEndpointSecret(const QString& endpointId, const SecretKeeper& keep);

} // namespace redrive
