// Endpoints ready to be sent to: the registered ones, and those that only an event's payload describes.
// Control thread; an Endpoint is immutable and may be kept.
#pragma once

#include "core/config/settings.h"
#include "core/net/signer.h"

#include <QList>
#include <QPair>

#include <functional>
#include <memory>
#include <unordered_map>

namespace redrive {

struct EndpointKey
{
    SigningKey key;
    std::optional<qint64> untilMs; // unix; from then on it signs no more
};

struct Endpoint
{
    EndpointSettings settings;
    int version = 0;                              // of its settings; 0: those of a payload
    QList<QPair<QByteArray, QByteArray>> headers; // custom ones
    QList<EndpointKey> keys;                      // newest first
    // Why nothing can be sent to it; empty: it can. Code as those of HttpOutcome.
    QString problemCode;
    QString problem;

    QList<SigningKey> keysAt(qint64 nowMs) const;
};

struct RegisteredEndpoint
{
    EndpointSettings settings;
    int version = 1;
};

class EndpointRegistry final
{
public:
    // Finds a secret by name; empty: there is none.
    using SecretSource = std::function<QByteArray(const QString&)>;

    // Those of the configuration, until replace() says more.
    explicit EndpointRegistry(const Settings& settings, int defaultMaxInFlight = 4);

    void setSecretSource(SecretSource source) { m_secret = std::move(source); }
    void replace(const QList<RegisteredEndpoint>& endpoints);

    // Null when it is not registered.
    std::shared_ptr<const Endpoint> find(const QString& id) const;
    // In the order in which they were registered.
    const QList<std::shared_ptr<const Endpoint>>& all() const { return m_all; }

    // One that is not registered, by the JSON that its delivery keeps; "{}" has no settings of its own.
    std::shared_ptr<const Endpoint> fromPayload(const QString& id, const QByteArray& json) const;

    EndpointSettings defaults() const;

private:
    std::shared_ptr<const Endpoint> make(EndpointSettings settings, int version) const;

    SecretSource m_secret;
    int m_defaultMaxInFlight;
    QList<std::shared_ptr<const Endpoint>> m_all;
    std::unordered_map<QString, std::shared_ptr<const Endpoint>> m_byId;
};

} // namespace redrive
