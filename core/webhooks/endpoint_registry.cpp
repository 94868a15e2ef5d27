#include "core/webhooks/endpoint_registry.h"

#include "core/webhooks/endpoint_reader.h"

namespace redrive {

EndpointRegistry::EndpointRegistry(const Settings& settings, int defaultMaxInFlight)
    : m_secrets(settings.secrets), m_defaultMaxInFlight(defaultMaxInFlight)
{
    for (const EndpointSettings& endpoint : settings.endpoints) {
        m_all.append(make(endpoint));
        m_byId.emplace(endpoint.id, m_all.last());
    }
}

std::shared_ptr<const Endpoint> EndpointRegistry::find(const QString& id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

std::shared_ptr<const Endpoint> EndpointRegistry::fromPayload(const QString& id, const QByteArray& json) const
{
    EndpointSettings plain = defaults();
    plain.id = id;
    if (json == "{}")
        return make(plain);
    auto read = readEndpoint(JsonSlice(json), u"endpoint"_s, plain);
    if (read)
        return make(*std::move(read));
    Endpoint unusable;
    unusable.settings = plain;
    unusable.problemCode = u"bad_settings"_s;
    unusable.problem = read.error().message;
    return std::make_shared<const Endpoint>(std::move(unusable));
}

EndpointSettings EndpointRegistry::defaults() const
{
    EndpointSettings settings;
    settings.maxInFlight = m_defaultMaxInFlight;
    return settings;
}

std::shared_ptr<const Endpoint> EndpointRegistry::make(EndpointSettings settings) const
{
    Endpoint endpoint;
    for (auto header = settings.headers.begin(); header != settings.headers.end(); ++header)
        endpoint.headers.append({header.key().toUtf8(), header.value().toUtf8()});
    for (const QString& name : settings.secrets) {
        const QByteArray secret = m_secrets.value(name);
        if (secret.isEmpty()) {
            endpoint.problemCode = u"secret_missing"_s;
            endpoint.problem = u"the secret '%1' is not set"_s.arg(name);
            break;
        }
        auto key = parseSigningSecret(secret);
        if (!key) {
            endpoint.problemCode = u"secret_unusable"_s;
            endpoint.problem = u"the secret '%1' cannot sign: %2"_s.arg(name, key.error().text());
            break;
        }
        endpoint.keys.append(*std::move(key));
    }
    endpoint.settings = std::move(settings);
    return std::make_shared<const Endpoint>(std::move(endpoint));
}

} // namespace redrive
