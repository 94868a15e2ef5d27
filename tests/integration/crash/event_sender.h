// Events over /ingest and /ingest/batch, every request sent until it has an answer for good, over restarts of
// the engine. Every second one carries an Idempotency-Key, so that its events are there once however often it
// is sent. Any thread.
#pragma once

#include "tests/integration/crash/kept_connection.h"
#include "tests/integration/crash/load_ledger.h"

#include <QList>
#include <QSet>

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>

namespace redrive::test {

class EventSender final
{
public:
    static constexpr int kBatch = 10; // events of a batch, one request in five

    using Body = std::function<QByteArray(int number)>; // any thread
    // `headers`: whole lines.
    EventSender(LoadLedger& ledger, QByteArray headers, Body body);

    // One request: one that had no answer before any new one.
    void send(KeptConnection& connection);
    bool hasUnanswered() const;

    int acknowledged() const { return m_acknowledged; } // events
    int connections() const;                            // over which something was acknowledged
    QByteArrayList strangeAnswers() const;              // neither 202 nor "come again later"
    bool isKeyed(int number) const;                     // whether the request with this event carries a key

private:
    struct Request
    {
        QList<int> numbers;
        bool isBatch = false;
        bool isKeyed = false;
        bool isAgain = false; // it was sent before, had no answer, and may be stored
    };

    Request next();
    void perform(KeptConnection& connection, Request request);
    void take(const KeptConnection& connection, Request request, const KeptConnection::Answer& answer);

    LoadLedger& m_ledger;
    const QByteArray m_headers;
    const Body m_body;
    std::atomic<int> m_acknowledged = 0;
    mutable std::mutex m_mutex; // guards the rest
    int m_turn = 0;
    std::deque<Request> m_unanswered;
    QSet<int> m_keyed; // numbers
    QSet<const void*> m_connections;
    QByteArrayList m_strange;
};

} // namespace redrive::test
