#include "core/base/ids.h"
#include "core/db/telemetry_table.h"
#include "core/telemetry/ingest_inbox.h"
#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

Settings settingsOf()
{
    Settings settings;
    settings.telemetryQueue = u"telemetry-ingest"_s;
    settings.consumers = {consumerOf(settings.telemetryQueue, 100, 500)};
    return settings;
}

void put(QueueRig& rig, const QByteArrayList& events)
{
    rig.start();
    const auto done = rig.control().once([&](Cycle& cycle) {
        QList<PlainMessage> messages;
        for (const QByteArray& event : events)
            messages.append({newId(cycle.nowMs), event});
        return message_store::insertAll(cycle, u"telemetry-ingest"_s, cycle.nowMs, messages);
    });
    if (!done)
        qFatal("put: %s", qPrintable(done.error().text()));
    rig.consumer().lookAtAll();
    rig.settle();
}

} // namespace

class TelemetryRetentionTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsToTheAge()
    {
        Settings settings = settingsOf();
        settings.retention.telemetryMs = 3'600'000;
        QueueRig rig(settings);
        put(rig, QByteArrayList(1'200, "{\"n\":1}"));
        rig.pass(1'800'000);
        put(rig, {"{\"n\":2}"});
        rig.jump(500);
        QCOMPARE(rig.store().number("SELECT count(*) FROM system_telemetry"), 1'201);
        rig.jump(1'800'000);
        for (int i = 0; i < 10; ++i)
            rig.jump(TelemetryRetention::kEveryMs);
        QCOMPARE(rig.store().number("SELECT count(*) FROM system_telemetry"), 1);
        QCOMPARE(rig.store().number("SELECT row_count FROM telemetry_pruned WHERE reason = 'age'"), 1'200);
    }

    void aPassIsToldAsAWhole()
    {
        Settings settings = settingsOf();
        settings.retention.telemetryMs = 3'600'000;
        QueueRig rig(settings);
        const auto lastRows = [&] {
            return rig.store().number("SELECT last_rows FROM telemetry_pruned WHERE reason = 'age'");
        };
        put(rig, QByteArrayList(1'200, "{\"n\":1}"));
        rig.jump(1'800'000);
        put(rig, QByteArrayList(700, "{\"n\":2}"));
        rig.jump(500);
        rig.jump(1'799'600);
        for (int i = 0; i < 5; ++i)
            rig.jump(TelemetryRetention::kPauseMs);
        QCOMPARE(rig.store().number("SELECT count(*) FROM system_telemetry"), 700);
        QCOMPARE(lastRows(), 1'200);
        rig.jump(1'800'000);
        QCOMPARE(lastRows(), TelemetryRetention::kMost);
        rig.jump(TelemetryRetention::kPauseMs);
        QCOMPARE(lastRows(), 700);
    }

    // A pass is a turn for each of its slices: what came in is written and answered by the next of them.
    void whatComesInMeanwhileIsWrittenInTheSameTurns()
    {
        Settings settings = settingsOf();
        settings.retention.telemetryMs = 3'600'000;
        Counters counters;
        IngestInbox inbox(settings, counters, [] {});
        QueueRig rig(settings);
        put(rig, QByteArrayList(5'000, "{\"old\":1}"));
        rig.jump(500);
        rig.control().addPart(inbox);
        const auto old = [&] {
            return rig.store().number("SELECT count(*) FROM system_telemetry WHERE payload = '{\"old\":1}'");
        };
        QCOMPARE(old(), 5'000);
        rig.clock.advance(3'600'000);
        int turns = 0;
        for (qint64 left = 5'000; left > 0 && turns < 100; ++turns) {
            int answered = 0;
            for (const bool intoTable : {false, true})
                inbox.enqueue({{"{\"n\":2}"}, intoTable, {}, [&](const Result<StoredIds>& stored) {
                                   answered += stored ? 1 : 0;
                               }});
            QVERIFY(rig.control().turn());
            QCOMPARE(answered, 2);
            const qint64 gone = left - old();
            QVERIFY2(gone <= TelemetryRetention::kMost, qPrintable(QString::number(gone)));
            left -= gone;
            rig.clock.advance(TelemetryRetention::kPauseMs);
        }
        QCOMPARE(old(), 0);
        QVERIFY(turns >= 5'000 / TelemetryRetention::kMost);
        rig.consumer().lookAtAll(); // its part came before the inbox's
        rig.pass(500);
        QCOMPARE(rig.store().number("SELECT count(*) FROM system_telemetry"), 2 * turns);
    }

    void keepsToTheSize()
    {
        Settings settings = settingsOf();
        settings.retention.telemetryBytes = 20'000;
        QueueRig rig(settings);
        QByteArrayList events;
        for (int i = 0; i < 1'000; ++i)
            events.append("{\"n\":\"" + QByteArray(93, 'x') + "\"}"); // 101 bytes
        put(rig, events);
        for (int i = 0; i < 10; ++i)
            rig.jump(TelemetryRetention::kEveryMs);
        const auto size = telemetry_store::size(rig.store().db());
        QVERIFY(size);
        QVERIFY2(size->bytes <= 20'000 && size->bytes > 19'000, qPrintable(QString::number(size->bytes)));
        QCOMPARE(rig.store().number("SELECT count(*) FROM system_telemetry"), size->rows);
        QCOMPARE(rig.store().text("SELECT min(id) FROM system_telemetry"),
                 rig.store().text("SELECT id FROM (SELECT id FROM system_telemetry ORDER BY rowid LIMIT 1)"));
        QCOMPARE(telemetry_store::pruning(rig.store().db())->bySize.rows, 1'000 - size->rows);
    }

    void whatTheUserHadBeforeTakesNoRoom()
    {
        Settings settings = settingsOf();
        settings.retention.telemetryBytes = 20'000;
        QueueRig rig(settings);
        TestStore& store = rig.store();
        store.execute(u"WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100) "
                      "INSERT INTO system_telemetry SELECT 'own-' || i, 'audit', 'them', "
                      "json_array(hex(zeroblob(500))), 1000 + i FROM n"_s);
        store.execute(u"UPDATE telemetry_size SET kept_until = 1100, kept_bytes = NULL"_s);
        QVERIFY(ensureTelemetryTable(store.db()));
        const QByteArray event = "{\"n\":\"" + QByteArray(93, 'x') + "\"}"; // 101 bytes
        const auto pass = [&] {
            for (int i = 0; i < 10; ++i)
                rig.jump(TelemetryRetention::kEveryMs);
        };
        put(rig, QByteArrayList(100, event));
        pass();
        QCOMPARE(store.number("SELECT count(*) FROM system_telemetry"), 200);
        put(rig, QByteArrayList(150, event));
        pass();
        QCOMPARE(store.number("SELECT count(*) FROM system_telemetry WHERE tenant_id = 'them'"), 100);
        const qint64 ours = store.number("SELECT count(*) FROM system_telemetry WHERE tenant_id <> 'them'");
        QVERIFY2(ours <= 198 && ours > 180, qPrintable(QString::number(ours)));

        store.execute(u"DELETE FROM system_telemetry WHERE id IN ('own-1', 'own-2')"_s); // by the user
        store.execute(u"UPDATE system_telemetry SET payload = '[]' WHERE id = 'own-3'"_s);
        const auto size = telemetry_store::size(store.db());
        QVERIFY(size);
        QCOMPARE(size->keptRows, 98);
        QCOMPARE(size->keptBytes,
                 store.number("SELECT sum(length(payload)) FROM system_telemetry WHERE tenant_id = 'them'"));
        QCOMPARE(size->bytes, store.number("SELECT sum(length(payload)) FROM system_telemetry"));
    }
};

QTEST_GUILESS_MAIN(TelemetryRetentionTest)
#include "retention_test.moc"
