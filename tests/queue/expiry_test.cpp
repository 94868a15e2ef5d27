// Messages that are older than their queue keeps them.
#include "core/queue/message_expiry.h"
#include "core/store/queue_store.h"
#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr qint64 kDay = 86'400'000;

Settings withQueue(ConsumerType type = ConsumerType::Worker)
{
    Settings settings;
    settings.consumers = {consumerOf(u"q"_s, 5, 0)};
    settings.consumers.first().type = type;
    settings.jobsQueue = u"q"_s;
    return settings;
}

void keep(QueueRig& rig, qint64 retentionMs)
{
    QueueSettings settings;
    settings.retentionMs = retentionMs;
    QVERIFY(
        rig.control().once([&](Cycle& cycle) { return queue_store::configure(cycle, u"q"_s, settings); }));
    rig.expiry().lookNow();
}

} // namespace

class ExpiryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void fourDaysByDefault()
    {
        QueueRig rig(withQueue(ConsumerType::HttpPull));
        const QString job = rig.enqueue(u"t"_s);
        rig.jump(4 * kDay - 1);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 1);
        rig.jump(1);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(rig.store().text(u"SELECT status || ' ' || reason FROM jobs"_s), u"dead expired"_s);
        QCOMPARE(rig.store().text(u"SELECT error FROM jobs"_s),
                 u"its message expired before it was delivered"_s);
        QCOMPARE(rig.counters.queues.all().value(u"q"_s).expired, 1u);
        QCOMPARE(rig.store().number(u"SELECT messages + bytes FROM queue_backlog WHERE queue = 'q'"_s), 0);
    }

    void asLongAsTheQueueSays_data()
    {
        QTest::addColumn<qint64>("retentionMs");
        QTest::newRow("60 s") << qint64(60'000);
        QTest::newRow("14 days") << 14 * kDay;
    }

    void asLongAsTheQueueSays()
    {
        QFETCH(qint64, retentionMs);
        QueueRig rig(withQueue(ConsumerType::HttpPull));
        rig.start();
        keep(rig, retentionMs);
        rig.send(u"q"_s, {u"a"_s, u"b"_s});
        rig.jump(retentionMs - 1);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 2);
        rig.send(u"q"_s, {u"younger"_s});
        rig.jump(1);
        QCOMPARE(rig.store().text(u"SELECT group_concat(body) FROM messages"_s), u"younger"_s);
    }

    void goesOnInAPausedQueue()
    {
        QueueRig rig(withQueue());
        rig.start();
        keep(rig, 60'000);
        rig.store().execute(u"UPDATE queues SET paused_at_ms = 1"_s);
        rig.consumer().lookAtAll();
        rig.enqueue(u"t"_s);
        rig.jump(60'000);
        QCOMPARE(rig.store().text(u"SELECT status FROM jobs"_s), u"dead"_s);
    }

    void aRetryTimerDoesNotKeepAMessage()
    {
        QueueRig rig(withQueue());
        rig.addJob(u"t"_s, [](const ClaimedJob&) {
            return HandlerOutcome{HandlerResult::Transient, u"broke"_s, {}, {}, 3'600'000, {}};
        });
        rig.start();
        keep(rig, 60'000);
        rig.enqueue(u"t"_s);
        QCOMPARE(rig.store().text(u"SELECT status || attempts FROM jobs"_s), u"pending1"_s);
        rig.jump(60'000);
        QCOMPARE(rig.store().text(u"SELECT status || ' ' || reason || ' ' || error FROM jobs"_s),
                 u"dead expired broke"_s);
        QVERIFY(rig.store().text(u"SELECT due_at_ms FROM jobs"_s).isEmpty());
    }

    void whatIsInFlightFinishes()
    {
        QueueRig rig(withQueue(ConsumerType::HttpPull));
        rig.start();
        keep(rig, 60'000);
        rig.enqueue(u"t"_s);
        rig.store().execute(u"UPDATE messages SET lease_instance = 99"_s);
        rig.store().execute(u"UPDATE jobs SET status = 'processing'"_s);
        rig.store().execute(u"INSERT INTO instances (no, owner, host, pid, version, boot_id, started_at_ms, "
                            "lease_until_ms) VALUES (99, 'x', 'h', 1, '1', 'b', 1, 9000000000000)"_s);
        QVERIFY(rig.control().once([&](Cycle& cycle) -> Status {
            cycle.nowMs += kDay;
            MessageExpiry expiry(rig.counters);
            return expiry.apply(cycle);
        }));
        QCOMPARE(rig.store().text(u"SELECT status FROM jobs"_s), u"processing"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 1);
    }

    void aCopyInADeadLetterQueueLeavesTheJobAndItsLetter()
    {
        Settings settings = withQueue();
        settings.consumers.first().deadLetterQueue = u"dlq"_s;
        settings.consumers.first().maxRetries = 0;
        QueueRig rig(settings);
        rig.addJob(u"t"_s, [](const ClaimedJob&) {
            return HandlerOutcome{HandlerResult::Transient, u"broke"_s, {}, {}, {}, {}};
        });
        rig.enqueue(u"t"_s);
        QCOMPARE(rig.store().text(u"SELECT queue FROM messages"_s), u"dlq"_s);
        rig.jump(4 * kDay);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(rig.store().text(u"SELECT status || ' ' || reason FROM jobs"_s), u"dead retries_used_up"_s);
        QCOMPARE(rig.store().text(u"SELECT state FROM dead_letters"_s), u"open"_s);
    }

    void manyGoInSlicesAndOneThatIsRefusedBlocksNone()
    {
        QueueRig rig(withQueue(ConsumerType::HttpPull));
        rig.start();
        const int many = 2 * MessageExpiry::kSlice + 7;
        rig.store().execute(u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1) "
                            "INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
                            "SELECT 'm' || i, 'q', 0, 1, 1, 1 FROM n"_s.arg(many));
        rig.store().execute(u"CREATE TRIGGER guard BEFORE DELETE ON messages WHEN OLD.id = 'm3' BEGIN "
                            "SELECT RAISE(ABORT, 'keep it'); END"_s);
        rig.expiry().lookNow();
        QVERIFY(rig.control().turn());
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), many - MessageExpiry::kSlice + 1);
        rig.jump(MessageExpiry::kLookEveryMs);
        QCOMPARE(rig.store().text(u"SELECT group_concat(id) FROM messages"_s), u"m3"_s);
    }
};

QTEST_GUILESS_MAIN(ExpiryTest)
#include "expiry_test.moc"
