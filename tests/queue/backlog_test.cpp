// The backlog's limit, and settings of queues kept with the data.
#include "core/store/backlog_store.h"
#include "core/store/queue_store.h"
#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

Settings limited(qint64 messages, qint64 bytes)
{
    Settings settings;
    settings.consumers = {consumerOf(u"q"_s, 5, 0)};
    settings.consumers.first().type = ConsumerType::HttpPull;
    settings.jobsQueue = u"q"_s;
    settings.limits = {messages, bytes};
    return settings;
}

Result<EnqueuedJobs> tryEnqueue(QueueRig& rig, const QByteArray& payload = "{}")
{
    rig.start();
    auto answer = std::make_shared<Result<EnqueuedJobs>>(fail(ErrorKind::Internal, u"no answer"_s));
    JobSubmission submission;
    submission.jobs = {{u"t"_s, payload, {}}};
    submission.reply = [answer](const Result<EnqueuedJobs>& said) { *answer = said; };
    rig.inbox().enqueue(std::move(submission));
    rig.settle();
    return *answer;
}

} // namespace

class BacklogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void refusesOverTheLimit_data()
    {
        QTest::addColumn<qint64>("messages");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("words");
        QTest::newRow("messages") << qint64(2) << qint64(1'000)
                                  << u"the queue q is full: it holds 2 messages, its limit is 2"_s;
        QTest::newRow("bytes") << qint64(100) << qint64(5)
                               << u"the queue q is full: it holds 4 bytes, its limit is 5"_s;
    }

    void refusesOverTheLimit()
    {
        QFETCH(qint64, messages);
        QFETCH(qint64, bytes);
        QueueRig rig(limited(messages, bytes));
        QVERIFY(tryEnqueue(rig));
        QVERIFY(tryEnqueue(rig));
        const auto refused = tryEnqueue(rig);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::Refused);
        QCOMPARE(refused.error().detail, u"backlog"_s);
        QTEST(refused.error().message, "words");
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs"_s), 2);
        rig.store().execute(u"DELETE FROM messages WHERE seq = 1"_s);
        QVERIFY(tryEnqueue(rig));
    }

    void oneBurstDoesNotSlipThrough()
    {
        QueueRig rig(limited(3, 1'000));
        rig.start();
        int accepted = 0;
        for (int i = 0; i < 10; ++i) {
            JobSubmission submission;
            submission.jobs = {{u"t"_s, "{}", {}}};
            submission.reply = [&accepted](const Result<EnqueuedJobs>& said) { accepted += said ? 1 : 0; };
            rig.inbox().enqueue(std::move(submission));
        }
        rig.settle();
        QCOMPARE(accepted, 3);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 3);
    }

    // The figures stand in the store: a restart and another process see the same.
    void anotherProcessSeesTheSame()
    {
        TestStore store;
        {
            QueueRig first(limited(2, 1'000), &store);
            QVERIFY(tryEnqueue(first));
            const auto other = store.openWriter();
            auto insert = other->dynamicQuery(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, "
                                              "visible_at_ms) VALUES ('x', 'q', 0, 9, 1, 1)"_s);
            QVERIFY(insert.run());
            QVERIFY(!tryEnqueue(first));
            first.crash();
        }
        QueueRig second(limited(2, 1'000), &store);
        QVERIFY(!tryEnqueue(second));
        store.execute(u"DELETE FROM messages WHERE id = 'x'"_s);
        QVERIFY(tryEnqueue(second));
    }

    void aBatchOfJobsIsAllOrNone()
    {
        QueueRig rig(limited(3, 1'000));
        QVERIFY(tryEnqueue(rig));
        auto answer = std::make_shared<Result<EnqueuedJobs>>(EnqueuedJobs{});
        JobSubmission submission;
        submission.jobs = {{u"t"_s, "1", {}}, {u"t"_s, "2", {}}, {u"t"_s, "3", {}}};
        submission.reply = [answer](const Result<EnqueuedJobs>& said) { *answer = said; };
        rig.inbox().enqueue(std::move(submission));
        rig.settle();
        QVERIFY(!*answer);
        QCOMPARE(answer->error().detail, u"backlog"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM jobs"_s), 1);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 1);
    }

    void aSendOfSeveralIsAllOrNone()
    {
        QueueRig rig(limited(2, 1'000));
        rig.start();
        const auto send = [&](int count) {
            QList<OutgoingMessage> messages;
            for (int i = 0; i < count; ++i)
                messages.append({"x", ContentType::Text, {}});
            return rig.control().once([&](Cycle& cycle) -> Status {
                REDRIVE_ASSIGN(sent, sendToQueue(cycle, limited(2, 1'000), u"q"_s, messages, {}));
                return sent.size() == count ? Status() : fail(ErrorKind::Internal, u"count"_s);
            });
        };
        QVERIFY(!send(3));
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 0);
        QVERIFY(send(2));
        QVERIFY(!send(1));
    }

    void figuresFollowEveryMove()
    {
        QueueRig rig(limited(100, 1'000));
        rig.start();
        rig.send(u"q"_s, {u"abc"_s, u"de"_s});
        const auto backlog = [&](const QString& queue) {
            const auto read = backlog_store::read(rig.db(), queue);
            return read ? std::pair<qint64, qint64>(read->messages, read->bytes)
                        : std::pair<qint64, qint64>(-1, -1);
        };
        using Pair = std::pair<qint64, qint64>;
        QCOMPARE(backlog(u"q"_s), Pair(2, 5));
        QCOMPARE(backlog(u"nothing"_s), Pair(0, 0));
        rig.store().execute(u"UPDATE messages SET queue = 'dlq', visible_at_ms = 1 WHERE size = 3"_s);
        QCOMPARE(backlog(u"q"_s), Pair(1, 2));
        QCOMPARE(backlog(u"dlq"_s), Pair(1, 3));
        rig.store().execute(u"UPDATE messages SET lease_instance = 5"_s); // in flight counts
        QCOMPARE(backlog(u"q"_s), Pair(1, 2));
        rig.store().execute(u"DELETE FROM messages"_s);
        QCOMPARE(backlog(u"q"_s), Pair(0, 0));
        QCOMPARE(backlog(u"dlq"_s), Pair(0, 0));
    }

    void httpPullKeepsAndDeliversNothing()
    {
        QueueRig rig(limited(100, 1'000));
        rig.handle(u"q"_s);
        rig.send(u"q"_s, {u"a"_s});
        rig.pass(60'000);
        QCOMPARE(rig.batches.size(), 0);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 1);
    }

    // workers-sdk PR 10288: what another configuration does not name stays.
    void settingsStayUntilSomebodyNamesThem()
    {
        TestStore store;
        const auto load = [&](const QueueSettings& said) {
            Cycle cycle(store.db());
            cycle.nowMs = 77;
            QVERIFY(queue_store::configure(cycle, u"q"_s, said));
        };
        const auto row = [&] { return queue_store::all(store.db())->value(u"q"_s); };
        QueueSettings a;
        a.retentionMs = 60'000;
        a.deliveryDelayMs = 2'000;
        a.paused = true;
        load(a);
        load({});
        QCOMPARE(row().retentionMs, std::optional<qint64>(60'000));
        QCOMPARE(row().deliveryDelayMs, std::optional<qint64>(2'000));
        QCOMPARE(row().pausedAtMs, std::optional<qint64>(77));
        QueueSettings b;
        b.retentionMs = 90'000;
        load(b);
        QCOMPARE(row().retentionMs, std::optional<qint64>(90'000));
        QCOMPARE(row().deliveryDelayMs, std::optional<qint64>(2'000));

        store.execute(u"UPDATE queues SET paused_at_ms = NULL"_s); // an operator resumes it
        load(a);
        QVERIFY(!row().pausedAtMs);
        QueueSettings c;
        c.paused = false;
        load(c);
        load(a); // it says something else than the last one that said anything
        QVERIFY(row().pausedAtMs);
    }

    void theKeptDeliveryDelayIsHonoured()
    {
        Settings settings = limited(100, 1'000);
        settings.producers = {{u"B"_s, u"q"_s, 7'000}};
        QueueRig rig(settings);
        rig.start();
        const auto delayOf = [&](const QString& id) {
            return rig.store().number(
                u"SELECT visible_at_ms - sent_at_ms FROM messages WHERE id = '%1'"_s.arg(id));
        };
        QCOMPARE(delayOf(rig.enqueue(u"t"_s)), 7'000);
        QueueSettings kept;
        kept.deliveryDelayMs = 0;
        QVERIFY(
            rig.control().once([&](Cycle& cycle) { return queue_store::configure(cycle, u"q"_s, kept); }));
        QCOMPARE(delayOf(rig.enqueue(u"t"_s)), 0);
        kept.deliveryDelayMs = 3'000;
        QVERIFY(
            rig.control().once([&](Cycle& cycle) { return queue_store::configure(cycle, u"q"_s, kept); }));
        QCOMPARE(delayOf(rig.enqueue(u"t"_s)), 3'000);
        QCOMPARE(delayOf(rig.enqueue(u"t"_s, "{}", 0)), 0);
    }
};

QTEST_GUILESS_MAIN(BacklogTest)
#include "backlog_test.moc"
