#include "app/demo/demo_traffic.h"

#include "core/base/result.h"

#include <QNetworkReply>

namespace redrive {

namespace {

// One round of what the demo sends; %1 counts.
const QByteArrayList& round()
{
    static const QByteArrayList jobs{
        R"({"type":"thumbnail","payload":{"image":"photos/%1.jpg","width":320}})",
        R"({"type":"webhook_fanout","payload":{"eventType":"order.created","eventData":{"order":%1,"total":"19.90"}}})",
        R"({"type":"import","payload":{"file":"prices-%1.csv"}})",
        R"({"type":"newsletter","payload":{"to":"reader-%1@example.org","issue":12}})",
        R"({"type":"report","payload":{"month":"2031-05","customer":%1}})",
        R"({"type":"webhook_fanout","payload":{"eventType":"user.signed_up","eventData":{"user":%1}}})",
        R"({"type":"thumbnail","payload":{"image":"photos/%1.png","width":64}})",
        R"({"type":"newsletter","delaySeconds":90,"payload":{"to":"later-%1@example.org","issue":13}})",
        R"({"type":"import","payload":{"file":"stock-%1.csv"}})",
        R"({"type":"legacy_export","payload":{"id":%1}})",
        R"({"type":"send_email","payload":{"to":"Reader %1 <reader-%1@example.org>","subject":"Your order %1","text":"Thank you. It is on its way.\n"}})",
        R"({"type":"process_file","payload":{"path":"prices.csv"}})",
        R"({"type":"send_email","payload":{"to":"busy-%1@example.org","subject":"Invoice %1","text":"See your account.\n"}})",
        R"({"type":"process_file","payload":{"path":"stock.csv","command":"count"}})",
        R"({"type":"send_email","payload":{"to":"gone-%1@example.org","subject":"We miss you","text":"Come back.\n"}})",
        R"({"type":"process_file","payload":{"path":"inbox"}})",
    };
    return jobs;
}

// The same of telemetry; %2 is a number that goes up and down, %3 a tenant.
const QByteArrayList& events()
{
    static const QByteArrayList events{
        R"({"source":"metric","tenantId":"%3","name":"http.latency_ms","value":%2})",
        R"({"source":"metric","tenantId":"%3","name":"queue.depth","value":%2,"labels":{"queue":"jobs"}})",
        R"({"source":"audit","tenantId":"%3","action":"order.approved","user":{"id":%1,"role":"owner"}})",
        R"({"source":"metric","tenantId":"%3","name":"cpu.percent","value":%2,"host":"web-%2"})",
        R"({"source":"audit","tenantId":"%3","action":"user.login","user":{"id":%1,"role":"editor"},"ok":true})",
        R"({"source":"metric","tenantId":"%3","name":"http.requests","value":%1})",
    };
    return events;
}

constexpr char kPoison[] =
    R"({"source":"trace","tenantId":"%3","span":%1,"note":"no kind that the table takes"})";

QByteArray tenantOf(int event)
{
    static const QByteArrayList tenants{"acme", "northwind", "acme",     "kestrel-pay",
                                        "acme", "bolt",      "northwind"};
    return tenants[event * 5 / 3 % tenants.size()];
}

} // namespace

void DemoTraffic::start(const QUrl& engine, const QByteArray& ingestToken)
{
    m_jobs = engine.resolved(QUrl(u"/jobs"_s));
    m_ingest = engine.resolved(QUrl(u"/ingest"_s));
    m_token = ingestToken;
    for (int i = 0; i < kSeedJobs; ++i)
        send();
    sendEvents(kSeedEvents);
    m_eventTimer.callOnTimeout(this, [this] { sendEvents(1 + m_events / 16 % 5); });
    m_eventTimer.start(kEventsIntervalMs);
    m_timer.callOnTimeout(this, [this] { send(); });
    m_timer.start(kIntervalMs);
}

void DemoTraffic::send()
{
    QByteArray body = round()[m_sent % round().size()];
    body.replace("%1", QByteArray::number(1'000 + m_sent++));
    post(m_jobs, body, {});
}

void DemoTraffic::sendEvents(int count)
{
    for (int i = 0; i < count; ++i) {
        const bool poison = m_events % kPoisonEach == kPoisonEach / 4;
        QByteArray body = poison ? QByteArray(kPoison) : events()[m_events % events().size()];
        body.replace("%1", QByteArray::number(1'000 + m_events));
        body.replace("%2", QByteArray::number(5 + m_events * 37 % 90));
        body.replace("%3", tenantOf(m_events));
        ++m_events;
        post(m_ingest, body, m_token);
    }
}

void DemoTraffic::post(const QUrl& url, const QByteArray& body, const QByteArray& token)
{
    QNetworkRequest request(url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    if (!token.isEmpty())
        request.setRawHeader("Authorization", "Bearer " + token);
    QNetworkReply* reply = m_network.post(request, body);
    connect(reply, &QNetworkReply::finished, reply, &QObject::deleteLater);
}

} // namespace redrive
