#include "core/base/ids.h"
#include "core/db/telemetry_table.h"
#include "core/db/transaction.h"
#include "core/domain/reason.h"
#include "core/store/letter_actions.h"
#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

const QString kQueue = u"telemetry-ingest"_s;
const QString kDead = u"telemetry-dlq"_s;
constexpr char kUsers[] =
    "CREATE TABLE system_telemetry (id TEXT PRIMARY KEY, source TEXT NOT NULL, tenant_id TEXT NOT "
    "NULL, payload TEXT NOT NULL, created_at INTEGER NOT NULL";

Settings telemetrySettings(const QString& deadLetterQueue = kDead)
{
    Settings settings;
    settings.telemetryQueue = kQueue;
    settings.consumers = {consumerOf(kQueue, 100, 500, 3, deadLetterQueue)};
    return settings;
}

// Events as they stand in the queue, sent or put there by hand.
QStringList put(QueueRig& rig, const QByteArrayList& bodies, ContentType type = ContentType::Json)
{
    QStringList ids;
    rig.start();
    const auto done = rig.control().once([&](Cycle& cycle) -> Status {
        for (const QByteArray& body : bodies) {
            NewMessage message;
            message.id = newId(cycle.nowMs);
            message.queue = kQueue;
            message.contentType = type;
            message.body = body;
            message.size = body.size();
            message.visibleAtMs = cycle.nowMs;
            REDRIVE_TRY(message_store::insert(cycle, message));
            ids.append(message.id);
        }
        return {};
    });
    if (!done)
        qFatal("put: %s", qPrintable(done.error().text()));
    rig.consumer().lookAtAll();
    rig.settle();
    return ids;
}

QByteArray good(int n)
{
    return "{\"source\":\"metric\",\"tenantId\":\"t" + QByteArray::number(n % 7) +
           "\",\"n\":" + QByteArray::number(n) + "}";
}

const QByteArray kBad = "{\"source\":\"nonsense\"}";

// `bad`: which of `count` are.
QByteArrayList bodies(int count, const std::function<bool(int)>& bad)
{
    QByteArrayList all;
    for (int i = 0; i < count; ++i)
        all.append(bad(i) ? kBad : good(i));
    return all;
}

qint64 rowsIn(QueueRig& rig)
{
    return rig.store().number("SELECT count(*) FROM system_telemetry");
}

qint64 lettersIn(QueueRig& rig)
{
    return rig.store().number("SELECT count(*) FROM dead_letters WHERE state = 'open'");
}

qint64 waitingIn(QueueRig& rig)
{
    return rig.store().number("SELECT count(*) FROM messages WHERE queue = 'telemetry-ingest'");
}

// The user's own table in place of ours.
void giveTable(TestStore& store, const QStringList& statements)
{
    store.execute("DROP TABLE system_telemetry");
    for (const QString& statement : statements)
        store.execute(statement);
    if (const auto done = ensureTelemetryTable(store.db()); !done)
        qFatal("%s", qPrintable(done.error().text()));
}

} // namespace

class TelemetryWriterTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aCleanBatchIsOneUnit()
    {
        QueueRig rig(telemetrySettings());
        const QByteArrayList sent = bodies(100, [](int) { return false; });
        const qint64 sentAtMs = rig.clock.wallMs();
        const QStringList ids = put(rig, sent);
        const TelemetryFigures figures = rig.counters.telemetry.figures();
        QCOMPARE(figures.rows, 100u);
        QCOMPARE(figures.batches, 1u);
        QCOMPARE(figures.recentBatchSizes, QList<int>{100});
        QCOMPARE(figures.extraTransactions, 0u);
        QCOMPARE(figures.isolations, 0u);
        QCOMPARE(figures.lagMs, std::optional<qint64>(0));
        QCOMPARE(waitingIn(rig), 0);
        QCOMPARE(rig.store().number("SELECT messages FROM queue_backlog WHERE queue = 'telemetry-ingest'"),
                 0);
        QCOMPARE(rig.store().number("SELECT count(DISTINCT created_at) FROM system_telemetry"), 1);
        QCOMPARE(rig.store().number("SELECT created_at FROM system_telemetry"), sentAtMs);
        for (int i : {0, 42, 99})
            QCOMPARE(
                rig.store().text("SELECT payload FROM system_telemetry WHERE id = '" + ids[i] + "'").toUtf8(),
                sent[i]);
        QCOMPARE(rig.counters.queues.all()[kQueue].done, 100u);
    }

    void oneWriterIsTold()
    {
        Settings settings = telemetrySettings();
        settings.consumers[0].maxConcurrency = 10;
        QueueRig rig(settings);
        put(rig, bodies(1'000, [](int) { return false; }));
        QCOMPARE(rowsIn(rig), 1'000);
        QCOMPARE(rig.counters.queues.all().value(kQueue).batchLimit, 1);
    }

    void fewWaitForTheTimeout()
    {
        QueueRig rig(telemetrySettings());
        put(rig, {good(1)});
        rig.pass(200);
        put(rig, {good(2)});
        rig.pass(100);
        put(rig, {good(3)});
        rig.pass(199);
        QCOMPARE(rowsIn(rig), 0);
        rig.pass(1);
        QCOMPARE(rowsIn(rig), 3);
        QCOMPARE(rig.counters.telemetry.figures().lagMs, std::optional<qint64>(500));
    }

    void aLargeBacklogGoesInBatches()
    {
        QueueRig rig(telemetrySettings());
        put(rig, bodies(1'730, [](int) { return false; }));
        QCOMPARE(rowsIn(rig), 1'700);
        rig.pass(500);
        QCOMPARE(rowsIn(rig), 1'730);
        QCOMPARE(rig.counters.telemetry.figures().batches, 18u);
    }

    void badRowsAreIsolated_data()
    {
        QTest::addColumn<QStringList>("table");
        QTest::addColumn<int>("bad"); // of 100
        QTest::addColumn<QString>("words");
        const QString ours = "CHECK constraint failed: source IN ('audit', 'metric')";
        const QStringList users{QString(kUsers) + ")"};
        const QStringList check{QString(kUsers) + ", CHECK (source <> 'nonsense'))"};
        const QStringList trigger{QString(kUsers) + ")", "CREATE TABLE seen (id)",
                                  "CREATE TRIGGER mine AFTER INSERT ON system_telemetry BEGIN INSERT INTO "
                                  "seen VALUES (NEW.id); END"};
        for (const int bad : {1, 50, 100}) {
            const QByteArray count = QByteArray::number(bad) + " in 100, ";
            QTest::newRow((count + "our table").constData()) << QStringList() << bad << ours;
            QTest::newRow((count + "a user's table").constData()) << users << bad << ours;
            QTest::newRow((count + "with a check of its own").constData()) << check << bad << ours;
            QTest::newRow((count + "with a trigger of its own").constData()) << trigger << bad << ours;
        }
    }

    void badRowsAreIsolated()
    {
        QFETCH(QStringList, table);
        QFETCH(int, bad);
        QFETCH(QString, words);
        TestStore store;
        if (!table.isEmpty())
            giveTable(store, table);
        QueueRig rig(telemetrySettings(), &store);
        const QByteArrayList sent =
            bodies(100, [bad](int i) { return bad == 1 ? i == 73 : bad == 100 || i % 2 == 0; });
        const QStringList ids = put(rig, sent);

        QCOMPARE(rowsIn(rig), 100 - bad);
        QCOMPARE(waitingIn(rig), 0);
        QCOMPARE(lettersIn(rig), bad);
        QCOMPARE(
            store.number("SELECT count(*) FROM dead_letters WHERE reason = 'permanent' AND attempts = 1 AND "
                         "dead_letter_queue = 'telemetry-dlq'"),
            bad);
        QCOMPARE(store.text("SELECT group_concat(DISTINCT error) FROM dead_letters"), words);
        QCOMPARE(store.number("SELECT count(*) FROM messages WHERE queue = 'telemetry-dlq'"), bad);
        for (int i = 0; i < 100; ++i)
            QCOMPARE(store.number("SELECT count(*) FROM dead_letters WHERE subject_id = '" + ids[i] + "'"),
                     sent[i] == kBad ? 1 : 0);
        const TelemetryFigures figures = rig.counters.telemetry.figures();
        QCOMPARE(figures.rows, quint64(100 - bad));
        QCOMPARE(figures.poison, quint64(bad));
        QCOMPARE(figures.isolations, 1u);
        QVERIFY2(figures.extraTransactions <= (bad == 1 ? 15u : 200u),
                 qPrintable(QString::number(figures.extraTransactions)));
        if (table.size() < 2)
            QCOMPARE(figures.extraTransactions, 0u);
        else
            QCOMPARE(store.number("SELECT count(*) FROM seen"), 100 - bad);
        rig.pass(120'000); // none of them is tried again
        QCOMPARE(lettersIn(rig), bad);
    }

    void theUsersCheckHasItsOwnWords()
    {
        TestStore store;
        giveTable(store, {QString(kUsers) + ", CONSTRAINT small CHECK (length(payload) < 60))"});
        QueueRig rig(telemetrySettings(), &store);
        put(rig, {good(1), "{\"n\":\"" + QByteArray(100, 'x') + "\"}", good(2)});
        rig.pass(500);
        QCOMPARE(rowsIn(rig), 2);
        QCOMPARE(store.text("SELECT error FROM dead_letters"), QString("CHECK constraint failed: small"));
    }

    void poisonOfEveryKind_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<ContentType>("type");
        QTest::addColumn<QString>("words");
        const QString notText = "cannot store BLOB value in TEXT column system_telemetry.";
        QTest::newRow("10 MB") << QByteArray("\"" + QByteArray(10'000'000, 'x') + "\"") << ContentType::Json
                               << "CHECK constraint failed: length(payload) <= 128000";
        QTest::newRow("NUL") << QByteArray("{\"a\":\"\0\"}", 9) << ContentType::Json << "NUL";
        QTest::newRow("1e999") << QByteArray("{\"source\":1e999}") << ContentType::Json << notText + "source";
        QTest::newRow("a number as the tenant")
            << QByteArray("{\"tenantId\":7}") << ContentType::Json << notText + "tenant_id";
        QTest::newRow("text that is no JSON")
            << QByteArray("hello") << ContentType::Text << "JSON error at byte";
        QTest::newRow("bytes that are no JSON")
            << QByteArray("\xff\xfe\x01", 3) << ContentType::Bytes << "at byte 0";
        QTest::newRow("nothing") << QByteArray() << ContentType::Json << "JSON error";
    }

    void poisonOfEveryKind()
    {
        QFETCH(QByteArray, body);
        QFETCH(ContentType, type);
        QFETCH(QString, words);
        QueueRig rig(telemetrySettings());
        put(rig, {good(1), good(2)});
        const QStringList ids = put(rig, {body}, type);
        put(rig, {good(3)});
        rig.pass(500);
        QCOMPARE(rowsIn(rig), 3);
        QCOMPARE(rig.store().text("SELECT subject_id FROM dead_letters"), ids.first());
        const QString error = rig.store().text("SELECT error FROM dead_letters");
        QVERIFY2(error.contains(words), qPrintable(error));
    }

    void textAndBytesThatAreJsonAreRows()
    {
        QueueRig rig(telemetrySettings());
        put(rig, {good(1)}, ContentType::Text);
        put(rig, {good(2)}, ContentType::Bytes);
        rig.pass(500);
        QCOMPARE(rowsIn(rig), 2);
        QCOMPARE(rig.store().text("SELECT group_concat(DISTINCT typeof(payload)) FROM system_telemetry"),
                 QString("text"));
    }

    void aRowThatIsThereIsSuccess()
    {
        TestStore store;
        QueueRig rig(telemetrySettings(), &store);
        const QStringList ids = put(rig, {good(1), good(2)});
        store.execute("INSERT INTO system_telemetry VALUES ('" + ids.first() + "', 'audit', 'x', '{}', 5)");
        rig.pass(500);
        QCOMPARE(rowsIn(rig), 2);
        QCOMPARE(waitingIn(rig), 0);
        QCOMPARE(lettersIn(rig), 0);
    }

    void withoutADeadLetterQueueItIsDropped()
    {
        QueueRig rig(telemetrySettings({}));
        put(rig, {good(1), kBad});
        rig.pass(500);
        QCOMPARE(rowsIn(rig), 1);
        QCOMPARE(lettersIn(rig), 0);
        QCOMPARE(waitingIn(rig), 0);
        QCOMPARE(rig.counters.dropped.load(), 1u);
        QCOMPARE(rig.counters.telemetry.figures().poison, 1u);
    }

    void aRowThatEndsTheTransactionIsFound_data()
    {
        QTest::addColumn<QString>("raise");
        QTest::newRow("ROLLBACK") << "ROLLBACK";
        QTest::newRow("FAIL") << "FAIL";
    }

    void aRowThatEndsTheTransactionIsFound()
    {
        QFETCH(QString, raise);
        TestStore store;
        giveTable(
            store,
            {QString(kUsers) + ")",
             "CREATE TRIGGER mine AFTER INSERT ON system_telemetry WHEN NEW.payload LIKE '%\"end\"%' BEGIN "
             "SELECT RAISE(" +
                 raise + ", 'not this one'); END"});
        QueueRig rig(telemetrySettings(), &store);
        put(rig, bodies(40, [](int) { return false; }) + QByteArrayList{"{\"end\":1}"} +
                     bodies(40, [](int) { return false; }));
        rig.pass(5'000);
        QCOMPARE(rowsIn(rig), 80);
        QCOMPARE(lettersIn(rig), 1);
        QCOMPARE(store.text("SELECT error FROM dead_letters"), QString("not this one"));
    }

    // The database has no code for it: the statement failed, for what this row holds.
    void aCheckThatOverflowsIsTheRowsOwn()
    {
        QueueRig rig(telemetrySettings());
        rig.store().execute("CREATE TRIGGER small BEFORE INSERT ON system_telemetry "
                            "WHEN abs(json_extract(NEW.payload, '$.n')) > 1000 BEGIN SELECT 1; END");
        put(rig, QByteArrayList(100, "{\"n\":-9223372036854775808}"));
        put(rig, {good(1), good(2)});
        rig.pass(500);
        QCOMPARE(waitingIn(rig), 0);
        QCOMPARE(lettersIn(rig), 100);
        QCOMPARE(rowsIn(rig), 2);
        QCOMPARE(rig.store().text("SELECT DISTINCT error FROM dead_letters"), u"integer overflow"_s);
        QVERIFY(rig.counters.telemetry.figures().waitsBecause.isEmpty());
    }

    void aRequeuedEventKeepsItsTime()
    {
        QueueRig rig(telemetrySettings());
        rig.store().execute("CREATE TRIGGER shut BEFORE INSERT ON system_telemetry "
                            "BEGIN SELECT RAISE(ABORT, 'shut'); END");
        rig.pass(1'000); // no id is older than one before it, of other tests too
        const qint64 receivedMs = rig.clock.wallMs();
        const QStringList ids = put(rig, {good(1)});
        rig.pass(500);
        QCOMPARE(lettersIn(rig), 1);
        rig.store().execute("DROP TRIGGER shut");
        rig.pass(3'600'000);
        const qint64 letterNo = rig.store().number("SELECT no FROM dead_letters");
        const auto requeued = rig.control().once(
            [&](Cycle& cycle) { return letter_actions::requeueMessage(cycle, ids[0], letterNo, kQueue); });
        QVERIFY(requeued);
        rig.consumer().lookAtAll();
        rig.pass(500);
        QCOMPARE(rowsIn(rig), 1);
        QCOMPARE(rig.store().number("SELECT created_at FROM system_telemetry"), receivedMs);
    }

    void aTableThatTakesNothingIsWaitedFor()
    {
        TestStore store;
        QueueRig rig(telemetrySettings(), &store);
        rig.settle();
        store.execute("ALTER TABLE system_telemetry RENAME TO away");
        put(rig, {good(1), good(2)});
        rig.pass(500);
        const qint64 began = rig.sinceStart();
        QList<qint64> seconds;
        qint64 last = 0;
        for (int i = 0; i < 9; ++i) {
            const TelemetryFigures figures = rig.counters.telemetry.figures();
            QVERIFY2(figures.waitsBecause.contains("no such table"), qPrintable(figures.waitsBecause));
            QVERIFY(figures.waitsUntilMs);
            const qint64 until = *figures.waitsUntilMs - rig.clock.wallMs();
            seconds.append(until / 1'000);
            last += until;
            rig.pass(until);
        }
        QCOMPARE(seconds, (QList<qint64>{1, 2, 4, 8, 16, 32, 60, 60, 60}));
        QCOMPARE(rig.sinceStart() - began, last);
        QCOMPARE(lettersIn(rig), 0);
        QCOMPARE(store.number("SELECT max(attempts) FROM messages"), 0);
        store.execute("ALTER TABLE away RENAME TO system_telemetry");
        rig.pass(60'000);
        QCOMPARE(rowsIn(rig), 2);
        QCOMPARE(rig.counters.telemetry.figures().waitsBecause, QString());
    }

    void aDroppedTableIsNamedWithWhatToDo()
    {
        TestStore store;
        QueueRig rig(telemetrySettings(), &store);
        rig.settle();
        store.execute("DROP TABLE system_telemetry");
        put(rig, {good(1)});
        rig.pass(500);
        const QString because = rig.counters.telemetry.figures().waitsBecause;
        QVERIFY2(because.contains("no such table") &&
                     because.contains("put the table system_telemetry back, or restart Redrive"),
                 qPrintable(because));
    }

    void aTablePutBackIsMendedAndGoesOn()
    {
        TestStore store;
        QueueRig rig(telemetrySettings(), &store);
        rig.settle();
        store.execute("DROP TABLE system_telemetry");
        put(rig, {good(1), kBad, good(2)});
        rig.pass(500);
        QVERIFY(rig.counters.telemetry.figures().waitsUntilMs);
        store.execute(QString(kUsers) + ")"); // without rules, indexes and triggers
        store.execute("INSERT INTO system_telemetry VALUES ('theirs', 'audit', 'x', '{}', 5)");
        rig.pass(1'000);
        QCOMPARE(rowsIn(rig), 3);
        QCOMPARE(store.text("SELECT error FROM dead_letters"),
                 QString("CHECK constraint failed: source IN ('audit', 'metric')"));
        QCOMPARE(store.number("SELECT row_count FROM telemetry_size"), 3);
        QCOMPARE(store.number("SELECT count(*) FROM pragma_index_list('system_telemetry') WHERE name LIKE "
                              "'system_telemetry_%'"),
                 2);
        QCOMPARE(rig.counters.telemetry.figures().waitsBecause, QString());
    }

    void aStartMakesADroppedTableAnew()
    {
        TestStore store;
        {
            QueueRig rig(telemetrySettings(), &store);
            put(rig, {good(0)});
            rig.pass(500);
            store.execute("DROP TABLE system_telemetry");
            put(rig, {good(1), kBad, good(2)});
            rig.pass(500);
            QVERIFY(rig.counters.telemetry.figures().waitsUntilMs);
            QCOMPARE(waitingIn(rig), 3);
        }
        store.openWriter();
        QueueRig rig(telemetrySettings(), &store);
        rig.start();
        rig.pass(5'000); // its clock begins where the first one's did
        QCOMPARE(rowsIn(rig), 2);
        QCOMPARE(lettersIn(rig), 1);
        QCOMPARE(waitingIn(rig), 0);
        QCOMPARE(store.number("SELECT row_count FROM telemetry_size"), 2);
    }

    void theWaitEndsWithTheLastMessage_data()
    {
        QTest::addColumn<bool>("paused");
        QTest::newRow("purged") << false;
        QTest::newRow("purged while it was paused") << true;
    }

    void theWaitEndsWithTheLastMessage()
    {
        QFETCH(bool, paused);
        TestStore store;
        QueueRig rig(telemetrySettings(), &store);
        rig.settle();
        store.execute("ALTER TABLE system_telemetry RENAME TO away");
        put(rig, {good(1), good(2)});
        rig.pass(500 + 1'000 + 2'000);
        const TelemetryFigures before = rig.counters.telemetry.figures();
        QVERIFY(before.waitsUntilMs && !before.waitsBecause.isEmpty());
        if (paused)
            store.execute(
                "INSERT INTO queues (name, paused_at_ms, created_at_ms) VALUES ('telemetry-ingest', 1, 1)");
        // As another process does it.
        const auto purgeOne = [&] {
            store.execute("DELETE FROM messages WHERE seq = (SELECT min(seq) FROM messages)");
            rig.consumer().lookAtAll();
            rig.settle();
        };
        purgeOne();
        QVERIFY(!rig.counters.telemetry.figures().waitsBecause.isEmpty()); // one is left
        purgeOne();
        const TelemetryFigures after = rig.counters.telemetry.figures();
        QCOMPARE(after.waitsBecause, QString());
        QVERIFY(!after.waitsUntilMs);
        if (paused)
            return;
        put(rig, {good(3)}); // the waits begin anew
        rig.pass(500);
        QCOMPARE(*rig.counters.telemetry.figures().waitsUntilMs - rig.clock.wallMs(), 1'000);
    }

    void theWaitEndsWithWhatExpires()
    {
        TestStore store;
        QueueRig rig(telemetrySettings(), &store);
        rig.settle();
        store.execute("ALTER TABLE system_telemetry RENAME TO away");
        store.execute(
            "INSERT INTO queues (name, retention_ms, created_at_ms) VALUES ('telemetry-ingest', 6000, 1)");
        put(rig, {good(1), good(2)});
        rig.pass(5'900);
        const TelemetryFigures before = rig.counters.telemetry.figures();
        QVERIFY(before.waitsUntilMs && *before.waitsUntilMs - rig.clock.wallMs() > 1'000);
        rig.pass(100);
        QCOMPARE(waitingIn(rig), 0);
        QCOMPARE(rig.counters.telemetry.figures().waitsBecause, QString());
    }

    void aLockedStoreCostsNothing()
    {
        TestStore store;
        QueueRig rig(telemetrySettings(), &store);
        put(rig, {good(1), kBad, good(2)});
        rig.db().setBusyTimeout(1);
        auto other = store.openWriter();
        {
            auto held = Transaction::begin(*other);
            QVERIFY(held);
            for (int i = 0; i < 60; ++i)
                rig.jump(200);
            QCOMPARE(rowsIn(rig), 0);
            QCOMPARE(lettersIn(rig), 0);
        }
        rig.pass(2'000);
        QCOMPARE(rowsIn(rig), 2);
        QCOMPARE(store.number("SELECT attempts FROM dead_letters"), 1);
    }

    void largeEventsGoInSmallerUnits()
    {
        QueueRig rig(telemetrySettings());
        QByteArrayList large;
        for (int i = 0; i < 100; ++i)
            large.append("{\"n\":\"" + QByteArray(100'000, 'x') + "\"}");
        put(rig, large);
        rig.pass(500);
        QCOMPARE(rowsIn(rig), 100);
        QVERIFY(rig.counters.telemetry.figures().batches >= 3);
    }
};

QTEST_GUILESS_MAIN(TelemetryWriterTest)
#include "writer_test.moc"
