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

} // namespace

void DemoTraffic::start(const QUrl& engine)
{
    m_jobs = engine.resolved(QUrl(u"/jobs"_s));
    for (int i = 0; i < kSeedJobs; ++i)
        send();
    m_timer.callOnTimeout(this, [this] { send(); });
    m_timer.start(kIntervalMs);
}

void DemoTraffic::send()
{
    QByteArray body = round()[m_sent % round().size()];
    body.replace("%1", QByteArray::number(1'000 + m_sent++));
    QNetworkRequest request(m_jobs);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    QNetworkReply* reply = m_network.post(request, body);
    connect(reply, &QNetworkReply::finished, reply, &QObject::deleteLater);
}

} // namespace redrive
