#include "tests/support/http_receiver.h"
#include "tests/webhooks/delivery_harness.h"

#include "core/db/transaction.h"
#include "core/webhooks/replay.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

class ReplayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void failedReplayLeavesTheScheduleAlone();
    void successCancelsThePendingRetry();
    void askingTwiceIsOneAttempt();
    void deadOneStartsAfresh();
    void deliveredOneStaysDelivered();
    void wishSurvivesACrash();
    void wishOfAnotherProcessIsSeen();
    void refuses_data();
    void refuses();
    void failedOnesOfAJob();

private:
    QString replay(const QString& id);
    void failOnce();

    std::unique_ptr<HttpReceiver> m_receiver;
    std::unique_ptr<DeliveryHarness> m_harness;
    QString m_id;
};

void ReplayTest::init()
{
    m_receiver = std::make_unique<HttpReceiver>();
    m_harness = std::make_unique<DeliveryHarness>();
}

void ReplayTest::cleanup()
{
    m_harness.reset();
    m_receiver.reset();
}

// Returns the refusal.
QString ReplayTest::replay(const QString& id)
{
    QString refusal;
    const Status done = m_harness->turn([&](Cycle& cycle) -> Status {
        REDRIVE_ASSIGN(words, replayDelivery(cycle, id));
        refusal = words;
        return {};
    });
    return done ? refusal : done.error().text();
}

// A delivery in backoff: attempt 1 failed, due in 10 s.
void ReplayTest::failOnce()
{
    m_receiver->answer("/hook", ReceiverAnswer::status(500));
    m_harness->fanOut(fanOutPayload({{u"e"_s, m_receiver->url()}}));
    m_id = m_harness->idOf(u"e"_s);
    QVERIFY(m_harness->drain());
    QCOMPARE(m_harness->statusOf(u"e"_s), u"failed"_s);
}

void ReplayTest::failedReplayLeavesTheScheduleAlone()
{
    failOnce();
    const qint64 due = m_harness->number(u"SELECT due_at_ms FROM webhook_deliveries"_s);
    m_harness->advance(3'000);
    QCOMPARE(replay(m_id), QString());
    QVERIFY(m_harness->drain());
    QCOMPARE(m_harness->statusOf(u"e"_s), u"failed"_s);
    QCOMPARE(m_harness->number(u"SELECT due_at_ms FROM webhook_deliveries"_s), due);
    QCOMPARE(m_harness->number(u"SELECT spent FROM webhook_deliveries"_s), 1);
    QCOMPARE(m_harness->text(u"SELECT kind || replay_of FROM delivery_attempts WHERE attempt = 2"_s),
             u"replay1"_s);
    m_harness->advance(6'999);
    QCOMPARE(m_receiver->arrivalCount(), 2);
    m_harness->advance(1);
    QVERIFY(m_harness->drain());
    QCOMPARE(m_receiver->arrivalCount(), 3);

    const auto arrivals = m_receiver->arrivals();
    for (const ReceivedRequest& request : arrivals) {
        QCOMPARE(request.header("webhook-id"), arrivals[0].header("webhook-id"));
        QCOMPARE(request.body, arrivals[0].body);
    }
    QCOMPARE(arrivals[1].header("webhook-timestamp").toLongLong(),
             arrivals[0].header("webhook-timestamp").toLongLong() + 3);
}

void ReplayTest::successCancelsThePendingRetry()
{
    failOnce();
    m_receiver->answer("/hook", ReceiverAnswer::status(200));
    QCOMPARE(replay(m_id), QString());
    QVERIFY(m_harness->drain());
    QCOMPARE(m_harness->statusOf(u"e"_s), u"delivered"_s);
    QVERIFY(m_harness->text(u"SELECT due_at_ms FROM webhook_deliveries"_s).isEmpty());
    m_harness->advance(86'400'000);
    QCOMPARE(m_receiver->arrivalCount(), 2);
}

void ReplayTest::askingTwiceIsOneAttempt()
{
    failOnce();
    m_harness->dispatcher().beginStop(); // it stays queued
    QCOMPARE(replay(m_id), QString());
    QCOMPARE(replay(m_id), u"is waiting for a replay already"_s);
    m_receiver->answer("/hook", ReceiverAnswer::status(200).hold());
    m_harness->crash();
    m_harness->advance(0);
    QCOMPARE(m_harness->statusOf(u"e"_s), u"sending"_s);
    QCOMPARE(replay(m_id), u"is being sent right now"_s);
    m_receiver->release();
    QVERIFY(m_harness->drain());
    QCOMPARE(m_receiver->arrivalCount(), 2);
    QCOMPARE(m_harness->number(u"SELECT COUNT(*) FROM delivery_attempts WHERE kind = 'replay'"_s), 1);
}

void ReplayTest::deadOneStartsAfresh()
{
    m_harness->maxRetries = 0;
    m_receiver->answer("/hook", ReceiverAnswer::status(500));
    m_harness->fanOut(fanOutPayload({{u"e"_s, m_receiver->url()}}));
    m_id = m_harness->idOf(u"e"_s);
    QVERIFY(m_harness->drain());
    QCOMPARE(m_harness->statusOf(u"e"_s), u"dead"_s);
    m_harness->store.execute(u"UPDATE webhook_deliveries SET budget = 2"_s);

    QCOMPARE(replay(m_id), QString());
    QCOMPARE(m_harness->text(u"SELECT state FROM dead_letters"_s), u"requeued"_s);
    QVERIFY(m_harness->drain());
    QCOMPARE(m_harness->statusOf(u"e"_s), u"failed"_s); // one of two
    m_harness->advance(10'000);
    QVERIFY(m_harness->drain());
    QCOMPARE(m_harness->statusOf(u"e"_s), u"dead"_s);
    QCOMPARE(m_harness->number(u"SELECT COUNT(*) FROM dead_letters WHERE state = 'open'"_s), 1);
    QCOMPARE(m_harness->number(u"SELECT MAX(attempt) FROM delivery_attempts"_s), 3);
    QCOMPARE(m_harness->text(u"SELECT kind FROM delivery_attempts WHERE attempt = 3"_s), u"scheduled"_s);
}

void ReplayTest::deliveredOneStaysDelivered()
{
    m_harness->fanOut(fanOutPayload({{u"e"_s, m_receiver->url()}}));
    m_id = m_harness->idOf(u"e"_s);
    QVERIFY(m_harness->drain());
    m_receiver->answer("/hook", ReceiverAnswer::status(500));
    QCOMPARE(replay(m_id), QString());
    QVERIFY(m_harness->drain());
    QCOMPARE(m_receiver->arrivalCount(), 2);
    QCOMPARE(m_harness->statusOf(u"e"_s), u"delivered"_s);
    QCOMPARE(m_harness->text(u"SELECT outcome FROM delivery_attempts WHERE attempt = 2"_s), u"failed"_s);
    m_harness->advance(86'400'000);
    QCOMPARE(m_receiver->arrivalCount(), 2);
}

void ReplayTest::wishSurvivesACrash()
{
    failOnce();
    m_receiver->answer("/hook", ReceiverAnswer::status(500).hold());
    QCOMPARE(replay(m_id), QString());
    QVERIFY(m_receiver->waitForArrivals(2));
    m_harness->crash();
    QCOMPARE(m_harness->text(u"SELECT outcome FROM delivery_attempts WHERE attempt = 2"_s), u"interrupted"_s);
    m_harness->advance(0);
    m_receiver->release();
    QVERIFY(m_harness->drain());
    QCOMPARE(m_harness->text(u"SELECT kind FROM delivery_attempts WHERE attempt = 3"_s), u"replay"_s);
    QCOMPARE(m_harness->statusOf(u"e"_s), u"failed"_s);
    QCOMPARE(m_harness->number(u"SELECT due_at_ms FROM webhook_deliveries"_s), 1'900'000'010'000);
    QCOMPARE(m_harness->number(u"SELECT spent FROM webhook_deliveries"_s), 1);
}

void ReplayTest::wishOfAnotherProcessIsSeen()
{
    failOnce();
    m_receiver->answer("/hook", ReceiverAnswer::status(200));
    {
        const auto other = m_harness->store.openWriter();
        auto transaction = Transaction::begin(*other).value();
        Cycle cycle(*other);
        cycle.nowMs = m_harness->clock.wallMs() - 50;
        QCOMPARE(replayDelivery(cycle, m_id).value(), QString());
        QVERIFY(transaction.commit());
    }
    m_harness->dispatcher().lookAgain();
    m_harness->advance(0);
    QVERIFY(m_harness->drain());
    QCOMPARE(m_harness->statusOf(u"e"_s), u"delivered"_s);
}

void ReplayTest::refuses_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("words");
    QTest::newRow("pending") << u"status = 'pending'"_s << u"is waiting to be sent already"_s;
    QTest::newRow("sending") << u"status = 'sending'"_s << u"is being sent right now"_s;
    QTest::newRow("in the bin") << u"status = 'dead', discarded = 1"_s << u"is in the bin"_s;
    QTest::newRow("paused") << u"status = 'held', reason = 'endpoint_paused'"_s
                            << u"is held: its endpoint is paused"_s;
    QTest::newRow("imported") << u"event_id = NULL"_s << u"has no event to send any more"_s;
    QTest::newRow("unknown") << u"id = 'other'"_s << u"not found"_s;
}

void ReplayTest::refuses()
{
    QFETCH(QString, change);
    QFETCH(QString, words);
    failOnce();
    m_harness->store.execute(u"UPDATE webhook_deliveries SET "_s + change);
    QCOMPARE(replayRefusal(m_harness->store.db(), m_id).value(), words);
    QCOMPARE(replay(m_id), words);
    QCOMPARE(m_receiver->arrivalCount(), 1);
}

void ReplayTest::failedOnesOfAJob()
{
    m_receiver->answer("/bad", ReceiverAnswer::status(500));
    m_receiver->answer("/gone", ReceiverAnswer::status(410));
    const QString jobId = m_harness->fanOut(fanOutPayload({{u"good"_s, m_receiver->url()},
                                                           {u"bad"_s, m_receiver->url("/bad")},
                                                           {u"gone"_s, m_receiver->url("/gone")},
                                                           {u"binned"_s, m_receiver->url("/gone")}}));
    m_harness->fanOut(fanOutPayload({{u"bad2"_s, m_receiver->url("/bad")}}));
    QVERIFY(m_harness->drain());
    m_harness->store.execute(u"UPDATE webhook_deliveries SET discarded = 1 WHERE endpoint_id = 'binned'"_s);
    const QStringList failed = failedDeliveriesOfJob(m_harness->store.db(), jobId).value();
    QCOMPARE(failed, (QStringList{m_harness->idOf(u"bad"_s), m_harness->idOf(u"gone"_s)}));

    for (const char* path : {"/bad", "/gone"})
        m_receiver->answer(path, ReceiverAnswer::status(200));
    for (const QString& id : failed)
        QCOMPARE(replay(id), QString());
    QVERIFY(m_harness->drain());
    QCOMPARE(m_receiver->arrivalCount("/hook"), 1); // the good one received nothing more
    QVERIFY(failedDeliveriesOfJob(m_harness->store.db(), jobId).value().isEmpty());
}

QTEST_GUILESS_MAIN(ReplayTest)
#include "replay_test.moc"
