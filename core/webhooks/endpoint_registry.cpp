#include "core/webhooks/endpoint_registry.h"

#include "core/webhooks/endpoint_reader.h"

namespace redrive {

QList<SigningKey> Endpoint::keysAt(qint64 nowMs) const
{
    QList<SigningKey> valid;
    for (const EndpointKey& key : keys) {
        if (!key.untilMs || *key.untilMs > nowMs)
            valid.append(key.key);
    }
    return valid;
}

EndpointRegistry::EndpointRegistry(const Settings& settings, int defaultMaxInFlight)
    : m_secret([secrets = settings.secrets](const QString& name) { return secrets.value(name); }),
      m_defaultMaxInFlight(defaultMaxInFlight)
{
    QList<RegisteredEndpoint> configured;
    for (const EndpointSettings& endpoint : settings.endpoints)
        configured.append({endpoint, 0});
    replace(configured);
}

void EndpointRegistry::replace(const QList<RegisteredEndpoint>& endpoints)
{
    m_all.clear();
    m_byId.clear();
    for (const RegisteredEndpoint& endpoint : endpoints) {
        m_all.append(make(endpoint.settings, endpoint.version));
        m_byId.emplace(endpoint.settings.id, m_all.last());
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
        return make(plain, 0);
    auto read = readEndpoint(JsonSlice(json), u"endpoint"_s, plain);
    if (read)
        return make(*std::move(read), 0);
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

std::shared_ptr<const Endpoint> EndpointRegistry::make(EndpointSettings settings, int version) const
{
    Endpoint endpoint;
    endpoint.version = version;
    for (auto header = settings.headers.begin(); header != settings.headers.end(); ++header)
        endpoint.headers.append({header.key().toUtf8(), header.value().toUtf8()});
    for (const QString& name : settings.secrets) {
        const auto end = settings.secretUntilMs.constFind(name);
        const bool ends = end != settings.secretUntilMs.constEnd();
        const QByteArray secret = m_secret(name);
        if (secret.isEmpty()) {
            if (ends)
                continue; // it signs on its way out only
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
        endpoint.keys.append({*std::move(key), ends ? std::optional(*end) : std::nullopt});
    }
    endpoint.settings = std::move(settings);
    return std::make_shared<const Endpoint>(std::move(endpoint));
}

} // namespace redrive
