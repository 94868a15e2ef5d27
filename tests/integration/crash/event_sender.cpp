#include "tests/integration/crash/event_sender.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace redrive::test {

namespace {

QByteArrayList idsIn(const QByteArray& answer)
{
    const QJsonObject object = QJsonDocument::fromJson(answer).object();
    QByteArrayList ids;
    for (const QJsonValue& id : object[QStringLiteral("eventIds")].toArray())
        ids.append(id.toString().toLatin1());
    if (const QJsonValue id = object[QStringLiteral("eventId")]; id.isString())
        ids.append(id.toString().toLatin1());
    return ids;
}

bool isLater(int status)
{
    return status == 429 || status == 503;
}

} // namespace

EventSender::EventSender(LoadLedger& ledger, QByteArray headers, Body body)
    : m_ledger(ledger), m_headers(std::move(headers)), m_body(std::move(body))
{
}

void EventSender::send(KeptConnection& connection)
{
    perform(connection, next());
}

EventSender::Request EventSender::next()
{
    std::lock_guard lock(m_mutex);
    if (!m_unanswered.empty()) {
        Request request = std::move(m_unanswered.front());
        m_unanswered.pop_front();
        return request;
    }
    Request request;
    const int turn = m_turn++;
    request.isBatch = turn % 5 == 4;
    request.isKeyed = turn % 2 == 1;
    for (int i = 0; i < (request.isBatch ? kBatch : 1); ++i) {
        request.numbers.append(m_ledger.invoke());
        if (request.isKeyed)
            m_keyed.insert(request.numbers.last());
    }
    return request;
}

void EventSender::perform(KeptConnection& connection, Request request)
{
    if (request.isAgain)
        for (const int number : request.numbers)
            m_ledger.again(number);
    QByteArray headers = m_headers;
    if (request.isKeyed)
        headers += "Idempotency-Key: request-" + QByteArray::number(request.numbers.first()) + "\r\n";
    QByteArray body;
    if (request.isBatch)
        body = "{\"n\":\n"; // a line that is no JSON among them
    for (const int number : request.numbers)
        body += m_body(number) + (request.isBatch ? "\n" : "");
    const auto answer = connection.post(request.isBatch ? "/ingest/batch" : "/ingest", body, headers);
    take(connection, std::move(request), answer);
}

void EventSender::take(const KeptConnection& connection, Request request,
                       const KeptConnection::Answer& answer)
{
    const QByteArrayList ids = answer.status == 202 ? idsIn(answer.body) : QByteArrayList();
    if (ids.size() == request.numbers.size() && !ids.contains(QByteArray())) {
        m_ledger.acknowledged(request.numbers, ids);
        m_acknowledged += int(ids.size());
        std::lock_guard lock(m_mutex);
        m_connections.insert(&connection);
        return;
    }
    if (isLater(answer.status) && !request.isAgain) {
        for (const int number : request.numbers)
            m_ledger.refused(number);
        return;
    }
    request.isAgain = true;
    std::lock_guard lock(m_mutex);
    if (answer.status != 0 && !isLater(answer.status))
        m_strange.append(QByteArray::number(answer.status) + ' ' + answer.body);
    m_unanswered.push_back(std::move(request));
}

bool EventSender::hasUnanswered() const
{
    std::lock_guard lock(m_mutex);
    return !m_unanswered.empty();
}

bool EventSender::isKeyed(int number) const
{
    std::lock_guard lock(m_mutex);
    return m_keyed.contains(number);
}

int EventSender::connections() const
{
    std::lock_guard lock(m_mutex);
    return int(m_connections.size());
}

QByteArrayList EventSender::strangeAnswers() const
{
    std::lock_guard lock(m_mutex);
    return m_strange;
}

} // namespace redrive::test
