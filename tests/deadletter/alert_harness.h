// Drives alerts by hand: a real store, a real sender, a clock that the test moves, and turns as the control
// thread makes them. Test thread.
#pragma once

#include "core/db/transaction.h"
#include "core/deadletter/alert_keeper.h"
#include "core/net/http_sender.h"
#include "core/store/letter_store.h"
#include "tests/support/manual_clock.h"
#include "tests/support/test_store.h"

#include <QTest>

namespace redrive::test {

class AlertHarness final
{
public:
    explicit AlertHarness(Settings settings = {}) : m_settings(std::move(settings)) { start(); }
    ~AlertHarness() { m_sender->stop(0); }

    TestStore store;
    ManualClock clock;
    qint64 instanceNo = 0;
    bool holdBack = false; // posts are taken and never sent, as by an engine that dies
    int turns = 0;

    AlertKeeper& keeper() { return *m_keeper; }

    // A new engine on the same store.
    void start()
    {
        if (m_sender)
            m_sender->stop(0);
        ++instanceNo;
        HttpSenderOptions options;
        options.guard = TargetGuard::make({}, true).value();
        m_sender = std::make_unique<HttpSender>(std::move(options));
        m_sender->start();
        m_keeper = std::make_unique<AlertKeeper>(
            m_settings,
            [this](HttpRequest request, std::function<void(HttpOutcome)> answer) {
                return holdBack || m_sender->send(std::move(request), std::move(answer));
            },
            [] {});
    }

    Status turn(const std::function<Status(Cycle&)>& first = {}, Connection* db = nullptr)
    {
        Connection& connection = db ? *db : store.db();
        REDRIVE_ASSIGN(transaction, Transaction::begin(connection));
        Cycle cycle(connection);
        cycle.nowMs = clock.wallMs();
        cycle.steadyMs = clock.steadyMs();
        cycle.instanceNo = instanceNo;
        ++turns;
        if (first)
            REDRIVE_TRY(first(cycle));
        if (const Status applied = m_keeper->apply(cycle); !applied) {
            m_keeper->rolledBack(applied.error());
            return applied;
        }
        REDRIVE_TRY(transaction.commit());
        for (const auto& follow : cycle.afterCommit)
            follow();
        return {};
    }

    // Turns until there is nothing to do now, answers of posts included.
    bool settle(int timeoutMs = 10'000)
    {
        QElapsedTimer waited;
        waited.start();
        while (waited.elapsed() < timeoutMs) {
            if (m_keeper->hasWork(clock.wallMs(), clock.steadyMs())) {
                if (!turn())
                    return false;
            } else if (m_keeper->isIdle()) {
                return true;
            } else {
                QTest::qWait(1);
            }
        }
        return false;
    }

    bool advance(qint64 ms)
    {
        clock.advance(ms);
        return settle();
    }

    // Deliveries to the endpoint that failed with this error, in one turn.
    bool die(int count, const QString& endpoint = u"acme"_s, const QString& error = u"HTTP 503"_s)
    {
        return turn([&](Cycle& cycle) { return addLetters(cycle, count, endpoint, error); }) && settle();
    }

    Status addLetters(Cycle& cycle, int count, const QString& endpoint, const QString& error)
    {
        for (int i = 0; i < count; ++i) {
            NewLetter letter;
            letter.kind = LetterKind::Delivery;
            letter.subjectId = u"delivery-%1"_s.arg(++m_letters);
            letter.type = u"order.paid"_s;
            letter.endpointId = endpoint;
            letter.reason = u"retries_used_up"_s;
            letter.error = error;
            REDRIVE_TRY(letter_store::insert(cycle, letter));
        }
        return {};
    }

    qint64 number(const QString& sql) { return store.number(sql); }
    QString text(const QString& sql) { return store.text(sql); }

private:
    Settings m_settings;
    int m_letters = 0;
    std::unique_ptr<HttpSender> m_sender;
    std::unique_ptr<AlertKeeper> m_keeper;
};

inline Settings alertsTo(const QString& url, AlertForm form = AlertForm::Json)
{
    Settings settings;
    settings.alerts.webhooks = {{form, url, {}, {}}};
    return settings;
}

} // namespace redrive::test
