// Rows that nothing of ours would write: damaged, or put there by hand. Each ends somewhere, and stops no
// other.
#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

Settings jobSettings()
{
    Settings settings;
    settings.consumers = {consumerOf(u"jobs"_s, 10, 0, 3, u"jobs-dlq"_s)};
    settings.jobsQueue = u"jobs"_s;
    settings.crons = {u"*/5 * * * *"_s};
    return settings;
}

void insertJob(TestStore& store, const QString& id, const QString& type, const QString& status,
               const QString& payload, const QString& attempts)
{
    store.execute(
        u"INSERT INTO jobs (id, type, status, payload, queue, attempts, created_at, updated_at) "
        "VALUES ('%1', '%2', '%3', %4, 'jobs', %5, 1, 1)"_s.arg(id, type, status, payload, attempts));
}

void insertMessage(TestStore& store, const QString& id, const QString& attempts, const QString& crashes,
                   const QString& lease)
{
    store.execute(
        u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, attempts, crashes, "
        "lease_instance, claim_no, claimed_at_ms) "
        "VALUES ('%1', 'jobs', 1, 2, 1900000000000, 1, %2, %3, %4)"_s.arg(id, attempts, crashes, lease));
}

} // namespace

class BadRowsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void countsMayBeAnything_data()
    {
        QTest::addColumn<QString>("attempts");
        QTest::addColumn<QString>("crashes");
        QTest::addColumn<int>("runs"); // until it is dead
        QTest::newRow("negative attempts") << u"-5"_s << u"0"_s << 4;
        QTest::newRow("the smallest number") << u"-9223372036854775808"_s << u"0"_s << 4;
        QTest::newRow("the largest int") << u"2147483647"_s << u"0"_s << 1;
        QTest::newRow("beyond an int") << u"1099511627776"_s << u"0"_s << 1;
        QTest::newRow("the largest number") << u"9223372036854775807"_s << u"0"_s << 1;
        QTest::newRow("negative crashes") << u"0"_s << u"-2147483648"_s << 4;
        QTest::newRow("more crashes than attempts") << u"0"_s << u"9223372036854775807"_s << 4;
    }
    void countsMayBeAnything()
    {
        QFETCH(QString, attempts);
        QFETCH(QString, crashes);
        QFETCH(int, runs);
        TestStore store;
        insertJob(store, u"bad"_s, u"fails"_s, u"pending"_s, u"'{}'"_s, attempts);
        insertMessage(store, u"bad"_s, attempts, crashes, u"NULL, NULL, NULL"_s);
        insertJob(store, u"good"_s, u"works"_s, u"pending"_s, u"'{}'"_s, u"0"_s);
        insertMessage(store, u"good"_s, u"0"_s, u"0"_s, u"NULL, NULL, NULL"_s);
        QueueRig rig(jobSettings(), &store);
        int seen = 0;
        bool positive = true;
        rig.addJob(u"fails"_s, [&](const ClaimedJob& job) {
            ++seen;
            positive = positive && job.attempt > 0 && job.crashes >= 0;
            HandlerOutcome outcome;
            outcome.result = HandlerResult::Transient;
            outcome.error = u"it failed"_s;
            return outcome;
        });
        rig.addJob(u"works"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.pass(400'000);
        QCOMPARE(store.text(u"SELECT status FROM jobs WHERE id = 'good'"_s), u"done"_s);
        if (crashes.startsWith(u"9223"_s)) {
            // Every attempt counts as a crash, which spends nothing: an operator has to end it.
            QCOMPARE(store.text(u"SELECT status FROM jobs WHERE id = 'bad'"_s), u"pending"_s);
            QVERIFY(seen > 4 && positive);
            return;
        }
        QCOMPARE(store.text(u"SELECT status FROM jobs WHERE id = 'bad'"_s), u"dead"_s);
        QCOMPARE(seen, runs);
        QVERIFY(positive);
        QCOMPARE(store.number(u"SELECT count(*) FROM dead_letters WHERE attempts > 0"_s), 1);
        QCOMPARE(store.number(u"SELECT count(*) FROM job_attempts WHERE job_id = 'bad' AND attempt <= 0"_s),
                 0);
    }

    void aPayloadThatIsNoJsonIsDeadForWhoReadsIt()
    {
        TestStore store;
        for (const auto& [id, payload] :
             {std::pair(u"text"_s, u"'{\"endpoints\":['"_s), std::pair(u"none"_s, u"NULL"_s),
              std::pair(u"blob"_s, u"x'00ff'"_s)}) {
            insertJob(store, id, u"reads"_s, u"pending"_s, payload, u"0"_s);
            insertMessage(store, id, u"0"_s, u"0"_s, u"NULL, NULL, NULL"_s);
        }
        QueueRig rig(jobSettings(), &store);
        QList<QByteArray> payloads;
        rig.addJob(u"reads"_s, [&](const ClaimedJob& job) {
            payloads.append(job.payload);
            HandlerOutcome outcome;
            outcome.result = HandlerResult::Permanent;
            outcome.error = u"the payload is not JSON"_s;
            return outcome;
        });
        rig.pass(1'000);
        QCOMPARE(payloads, (QList<QByteArray>{"{\"endpoints\":[", "", QByteArray("\0\xff", 2)}));
        QCOMPARE(store.number(u"SELECT count(*) FROM jobs WHERE status = 'dead'"_s), 3);
        QCOMPARE(store.number(u"SELECT count(*) FROM dead_letters WHERE state = 'open'"_s), 3);
    }

    void aMessageOfAnEngineThatIsNotThereRunsAgain_data()
    {
        QTest::addColumn<QString>("lease");
        QTest::newRow("held") << u"4711, NULL, NULL"_s;
        QTest::newRow("claimed") << u"4711, 1, 1000"_s;
        QTest::newRow("claimed in the future") << u"4711, 1, 9000000000000"_s;
        QTest::newRow("of one that has ended") << u"7, 1, 1000"_s;
    }
    void aMessageOfAnEngineThatIsNotThereRunsAgain()
    {
        QFETCH(QString, lease);
        const bool claimed = !lease.contains(u"NULL"_s);
        TestStore store;
        store.execute(u"INSERT INTO instances (no, owner, host, pid, version, boot_id, started_at_ms, "
                      "lease_until_ms, ended_at_ms) VALUES (7, 'gone', 'h', 1, '0', 'b', 1, 1, 2)"_s);
        insertJob(store, u"held"_s, u"works"_s, claimed ? u"processing"_s : u"pending"_s, u"'{}'"_s,
                  claimed ? u"1"_s : u"0"_s);
        insertMessage(store, u"held"_s, claimed ? u"1"_s : u"0"_s, u"0"_s, lease);
        QueueRig rig(jobSettings(), &store);
        int seen = 0;
        rig.addJob(u"works"_s, [&](const ClaimedJob&) {
            ++seen;
            return HandlerOutcome();
        });
        rig.pass(1'000'000);
        QCOMPARE(store.text(u"SELECT status FROM jobs WHERE id = 'held'"_s), u"done"_s);
        QCOMPARE(seen, 1);
        QCOMPARE(store.number(u"SELECT count(*) FROM messages"_s), 0);
        QVERIFY(store.number(u"SELECT sum(rescued) FROM sweeps"_s) >= 1);
    }

    void whatALivingEngineHoldsIsLeftToIt()
    {
        TestStore store;
        QueueRig other(jobSettings(), &store); // lives, and holds nothing by itself
        other.settle();
        const QString held = u"%1, 1, 1000"_s.arg(store.number(u"SELECT max(no) FROM instances"_s));
        insertJob(store, u"held"_s, u"works"_s, u"processing"_s, u"'{}'"_s, u"1"_s);
        insertMessage(store, u"held"_s, u"1"_s, u"0"_s, held);
        QueueRig rig(jobSettings(), &store);
        rig.addJob(u"works"_s, [](const ClaimedJob&) { return HandlerOutcome(); });
        rig.settle(); // with the sweep at start
        QCOMPARE(store.text(u"SELECT status FROM jobs WHERE id = 'held'"_s), u"processing"_s);
        QCOMPARE(store.number(u"SELECT claim_no FROM messages"_s), 1);
    }
};

QTEST_GUILESS_MAIN(BadRowsTest)
#include "bad_rows_test.moc"
