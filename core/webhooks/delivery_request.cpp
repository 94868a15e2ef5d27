#include "core/webhooks/delivery_request.h"

#include "core/net/header_rules.h"

namespace redrive {

namespace {

void show(QByteArray& shown, const QByteArray& name, const QByteArray& value)
{
    shown.append(name).append(": ").append(value).append('\n');
}

} // namespace

DeliveryRequest buildDeliveryRequest(const Endpoint& endpoint, const QString& url, const QString& eventId,
                                     std::shared_ptr<const QByteArray> body, qint64 unixSeconds)
{
    static const QByteArray masked("***");
    static const QByteArray contentType("Content-Type");
    static const QByteArray json("application/json");
    static const QByteArray idName("webhook-id");
    static const QByteArray timestampName("webhook-timestamp");
    static const QByteArray signatureName("webhook-signature");
    static const QByteArray agentName("User-Agent");
    static const QByteArray userAgent("Redrive/" REDRIVE_VERSION);
    DeliveryRequest request;
    auto& headers = request.http.headers;
    headers.reserve(5 + endpoint.headers.size());
    QByteArray shown;
    shown.reserve(256);
    const auto add = [&](const QByteArray& name, const QByteArray& value, bool secret) {
        headers.append({name, value});
        show(shown, name, secret ? masked : value);
    };

    const QByteArray id = eventId.toLatin1();
    add(contentType, json, false);
    add(idName, id, false);
    add(timestampName, QByteArray::number(unixSeconds), false);
    if (const auto keys = endpoint.keysAt(unixSeconds * 1000); !keys.isEmpty())
        add(signatureName, webhookSignature(keys, id, unixSeconds, *body), true);
    bool ownAgent = false;
    for (const auto& [name, value] : endpoint.headers) {
        add(name, value, !isHarmlessHeader(name));
        ownAgent = ownAgent || name.compare(agentName, Qt::CaseInsensitive) == 0;
    }
    if (!ownAgent)
        add(agentName, userAgent, false);

    request.http.url = url;
    request.http.body = std::move(body);
    request.shownHeaders = QString::fromUtf8(shown);
    return request;
}

} // namespace redrive
