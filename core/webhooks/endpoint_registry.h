// Endpoints ready to be sent to: those of the configuration, and those that only an event's payload
// describes. Immutable; any thread.
#pragma once

#include "core/config/settings.h"
#include "core/net/signer.h"

#include <QList>
#include <QPair>

#include <memory>
#include <unordered_map>

namespace redrive {

struct Endpoint
{
    EndpointSettings settings;
    QList<QPair<QByteArray, QByteArray>> headers; // custom ones
    QList<SigningKey> keys;                       // newest first
    // Why nothing can be sent to it; empty: it can. Code as those of HttpOutcome.
    QString problemCode;
    QString problem;
};

class EndpointRegistry final
{
public:
    explicit EndpointRegistry(const Settings& settings, int defaultMaxInFlight = 4);

    // Null when the configuration does not name it.
    std::shared_ptr<const Endpoint> find(const QString& id) const;
    // In the order of the configuration.
    const QList<std::shared_ptr<const Endpoint>>& all() const { return m_all; }

    // An endpoint that the configuration does not name, by the JSON that its delivery keeps; "{}" has no
    // settings of its own.
    std::shared_ptr<const Endpoint> fromPayload(const QString& id, const QByteArray& json) const;

    EndpointSettings defaults() const;

private:
    std::shared_ptr<const Endpoint> make(EndpointSettings settings) const;

    QHash<QString, QByteArray> m_secrets;
    int m_defaultMaxInFlight;
    QList<std::shared_ptr<const Endpoint>> m_all;
    std::unordered_map<QString, std::shared_ptr<const Endpoint>> m_byId;
};

} // namespace redrive
