// Events that wait in their queue while the store cannot be written, or its engine is killed: each becomes a
// row once, those that the table refuses become dead letters at their first attempt, and no other does.
#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/db/transaction.h"
#include "core/store/message_store.h"
#include "tests/integration/storage/storage_rig.h"
#include "tests/support/mounts.h"

#include <QTest>

#include <csignal>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kEvents = 6'000;
constexpr int kBadOneIn = 50;
constexpr int kDrainMs = 30'000;

// All at once, before the engine sees any. Every kBadOneIn-th is refused.
void putEvents(StorageRig& rig)
{
    const auto db = Connection::open({rig.database()}, Access::Writer);
    QVERIFY(db);
    {
        auto transaction = Transaction::begin(**db);
        QVERIFY(transaction); // so the engine does not hold the lock
        rig.serve().signal(SIGSTOP);
        Cycle cycle(**db);
        cycle.nowMs = SystemClock().wallMs();
        for (int i = 0; i < kEvents; ++i) {
            NewMessage message;
            message.id = newId(cycle.nowMs);
            message.queue = u"telemetry-ingest"_s;
            message.body = i % kBadOneIn == 7 ? QByteArray("{\"source\":false}")
                                              : "{\"n\":" + QByteArray::number(i) + ",\"s\":\"" +
                                                    QByteArray(500, 'x') + "\"}";
            message.size = message.body.size();
            message.visibleAtMs = cycle.nowMs;
            QVERIFY(message_store::insert(cycle, message));
        }
        QVERIFY(transaction->commit());
    }
}

qint64 rows(const StorageRig& rig)
{
    return rig.number(u"SELECT count(*) FROM system_telemetry"_s);
}

// Dead letters that should not be, and those that were tried more than once.
qint64 wrongLetters(const StorageRig& rig)
{
    return rig.number(u"SELECT count(*) FROM dead_letters WHERE attempts <> 1 OR reason <> 'permanent' OR "
                      "error NOT LIKE 'cannot store BLOB value%'"_s);
}

void checkAllIsWritten(const StorageRig& rig)
{
    QTRY_COMPARE_WITH_TIMEOUT(rig.number(u"SELECT count(*) FROM messages WHERE queue = 'telemetry-ingest'"_s),
                              0, kDrainMs);
    QCOMPARE(rows(rig), kEvents - kEvents / kBadOneIn);
    QCOMPARE(rig.number(u"SELECT count(*) FROM dead_letters"_s), kEvents / kBadOneIn);
    QCOMPARE(wrongLetters(rig), 0);
    QCOMPARE(rig.number(u"SELECT row_count FROM telemetry_size"_s), rows(rig));
}

} // namespace

class StorageTelemetryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLockOfSixSeconds()
    {
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        putEvents(rig);
        const auto db = Connection::open({rig.database()}, Access::Writer);
        {
            const auto held = Transaction::begin(**db);
            QVERIFY(held);
            rig.serve().signal(SIGCONT);
            QTRY_VERIFY_WITH_TIMEOUT(!rig.isHealthy(), 5'000);
            QTest::qWait(3'000); // how long it is held is what this is about
            QCOMPARE(rows(rig), 0);
            QCOMPARE(rig.number(u"SELECT count(*) FROM dead_letters"_s), 0);
        }
        checkAllIsWritten(rig);
        QTRY_VERIFY(rig.isHealthy());
        const QByteArray metrics = PlainClient(rig.serve().url()).get("/metrics").body;
        const QByteArray bad = QByteArray::number(kEvents / kBadOneIn);
        QVERIFY2(metrics.contains("\nredrive_telemetry_poison_total " + bad + '\n'), metrics);
        QVERIFY2(metrics.contains("\nredrive_telemetry_rows_total " +
                                  QByteArray::number(kEvents - kEvents / kBadOneIn) + '\n'),
                 metrics);
        QVERIFY2(metrics.contains("\nredrive_telemetry_extra_transactions_total 0\n"), metrics);
    }

    void aFullDisk()
    {
        const QTemporaryDir folder;
        const auto disk = Mount::memory(folder.path(), 64LL * 1024 * 1024);
        if (!disk)
            QSKIP("a file system of its own needs root");
        StorageRig rig(disk->path(u"jobs.db"_s));
        QVERIFY2(rig.start(), rig.serve().log());
        putEvents(rig);
        disk->fill();
        rig.serve().signal(SIGCONT);
        QTRY_VERIFY(!rig.isHealthy());
        QTest::qWait(1'000); // in which it must not give up on any
        QCOMPARE(wrongLetters(rig), 0);
        disk->makeRoom();
        checkAllIsWritten(rig);
        QTRY_VERIFY(rig.isHealthy());
    }

    void killedInTheMiddle()
    {
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        putEvents(rig);
        rig.serve().signal(SIGCONT);
        for (int kill = 1; kill <= 3; ++kill) {
            QTRY_VERIFY_WITH_TIMEOUT(rows(rig) > kill * 500, kDrainMs);
            rig.serve().killNow();
            QVERIFY2(rig.start(), rig.serve().log());
        }
        checkAllIsWritten(rig);
    }
};

QTEST_GUILESS_MAIN(StorageTelemetryTest)
#include "telemetry_test.moc"
