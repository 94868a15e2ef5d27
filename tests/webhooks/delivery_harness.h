// Drives fan-out and deliveries by hand: a real store, a real sender, a clock that the test moves, and turns
// as the control thread makes them. Test thread.
#pragma once

#include "core/net/http_sender.h"
#include "core/webhooks/delivery_dispatcher.h"
#include "core/webhooks/endpoint_keeper.h"
#include "core/webhooks/fan_out_handler.h"
#include "tests/support/manual_clock.h"
#include "tests/support/test_store.h"

#include <condition_variable>

namespace redrive::test {

class DeliveryHarness final
{
public:
    explicit DeliveryHarness(Settings settings = {}, int maxInFlight = 256);
    ~DeliveryHarness();

    TestStore store;
    ManualClock clock;
    int maxRetries = 3;
    int requestTimeoutMs = 0;  // above 0: instead of the sender's own
    double random = 0;         // of the backoff
    bool keepsSecrets = false; // secrets that are made for endpoints
    bool holdBack = false;     // requests are kept here instead of being sent
    std::vector<HttpRequest> heldBack;

    // The held-back requests whose URL ends so are answered; then the turns that follow.
    void answerHeld(int status, const QString& urlEnd = {});
    void endHeld(const HttpOutcome& outcome, const QString& urlEnd = {});
    int heldBackOf(const QString& urlEnd) const;

    DeliveryDispatcher& dispatcher() { return *m_dispatcher; }

    // One turn: `first`, then the dispatcher, committed. With `fail` it is rolled back instead.
    Status turn(const std::function<Status(Cycle&)>& first = {}, bool fail = false);
    // A fan-out job and its run, in one turn. Returns the job's id.
    QString fanOut(const QByteArray& payload, const QString& jobId = {});
    HandlerOutcome runFanOut(Cycle& cycle, const QByteArray& payload, const QString& jobId, int run = 1);
    // Turns until nothing is in flight; false when an answer does not come in time.
    bool drain(int timeoutMs = 20'000);
    // Waits for outcomes and records them in one turn.
    bool recordNext(int timeoutMs = 20'000);
    // The clock moves and a turn is made, as the loop would at the deadline.
    void advance(qint64 ms);
    // The engine dies with what it had in flight and another one starts on the same store.
    void crash();
    // The same with another configuration.
    void restart(Settings settings);

    // Asks for the change and makes the turn that it happens in; it is in force after the next one.
    Result<EndpointChanged> change(EndpointChange asked);
    Result<EndpointChanged> change(EndpointVerb verb, const QString& id);

    // As the control thread does when another process has committed.
    void lookAtStore() { m_keeper->lookAtStore(); }

    QString statusOf(const QString& endpointId) const;
    qint64 number(const QString& sql) const;
    QString text(const QString& sql) const;
    QString idOf(const QString& endpointId) const;

private:
    void startEngine();
    void begin(const std::function<Status(Cycle&)>& first);

    Settings m_settings;
    int m_maxInFlight;
    qint64 m_instanceNo = 0;
    QHash<QString, QByteArray> m_kept; // secrets
    std::unique_ptr<EndpointRegistry> m_registry;
    std::unique_ptr<HttpSender> m_sender;
    std::unique_ptr<DeliveryDispatcher> m_dispatcher;
    std::unique_ptr<EndpointKeeper> m_keeper;
    std::unique_ptr<FanOutHandler> m_fanOut;
    std::mutex m_mutex; // guards m_woken
    std::condition_variable m_wake;
    bool m_woken = false;
};

// {"eventType":"a.b","eventData":{"n":1},"endpoints":[{"id":…,"url":…},…]}
QByteArray fanOutPayload(const std::vector<std::pair<QString, QString>>& endpoints);

} // namespace redrive::test
