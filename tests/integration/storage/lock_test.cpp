// Another process holds the lock of the database: 1 s is not noticed, 6 s are told and refused, and
// afterwards work goes on by itself. (60 s, with a clock moved by hand: engine/store_keeper_test.)
#include "core/db/transaction.h"
#include "tests/integration/storage/storage_rig.h"

#include <QElapsedTimer>
#include <QTest>

#include <unistd.h>

#include <future>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

std::future<std::pair<PlainAnswer, qint64>> postBeside(const StorageRig& rig)
{
    return std::async(std::launch::async, [&rig] {
        QElapsedTimer took;
        took.start();
        PlainAnswer answer = rig.post();
        return std::make_pair(std::move(answer), took.elapsed());
    });
}

} // namespace

class StorageLockTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aShortLockIsWaitedFor()
    {
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        const auto db = Connection::open({rig.database()}, Access::Writer);
        std::future<std::pair<PlainAnswer, qint64>> answer;
        {
            const auto held = Transaction::begin(**db);
            QVERIFY(held);
            answer = postBeside(rig);
            QTest::qWait(1'000); // how long it is held is what this is about
            QVERIFY(rig.isHealthy());
        }
        QCOMPARE(answer.get().first.status, 202);
        QTRY_COMPARE(rig.open(), 0);
        QCOMPARE(rig.failures(), 0);
    }

    void aLongLockIsToldAndRefused()
    {
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        QCOMPARE(rig.post().status, 202);
        QTRY_COMPARE(rig.open(), 0);
        const auto db = Connection::open({rig.database()}, Access::Writer);
        {
            const auto held = Transaction::begin(**db);
            QVERIFY(held);
            QElapsedTimer since;
            since.start();
            auto answer = postBeside(rig);
            QTRY_VERIFY_WITH_TIMEOUT(!rig.isHealthy(), 5'000);
            QVERIFY2(since.elapsed() >= 3'000, qPrintable(QString::number(since.elapsed())));
            const QString reason = rig.reason();
            QVERIFY2(reason.startsWith(u"Database busy: process %1 ("_s.arg(::getpid())) &&
                         reason.endsWith(u") holds 'redrive.db'. Work resumes by itself."_s),
                     qPrintable(reason));
            const auto [refused, took] = answer.get();
            QCOMPARE(refused.status, 503);
            QCOMPARE(StorageRig::code(refused), "db_busy");
            QCOMPARE(StorageRig::retryAfter(refused), 1);
            QVERIFY2(took >= 4'900 && took < 6'500, qPrintable(QString::number(took)));
            const auto [next, tookNext] = postBeside(rig).get(); // known by now
            QCOMPARE(next.status, 503);
            QVERIFY2(tookNext < 500, qPrintable(QString::number(tookNext)));
            const QByteArray jobs = PlainClient(rig.serve().url()).get("/metrics").body;
            QVERIFY2(jobs.contains("redrive_jobs_done_total 1\n"), jobs); // readers are not held up
        }
        QTRY_VERIFY_WITH_TIMEOUT(rig.isHealthy(), 2'000);
        QCOMPARE(rig.post().status, 202);
        QTRY_COMPARE(rig.runs(), 2);
        QTRY_COMPARE(rig.open(), 0);
        QCOMPARE(rig.failures(), 0);
    }

    void aCommandSaysWhoHoldsIt()
    {
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        const auto db = Connection::open({rig.database()}, Access::Writer);
        const auto held = Transaction::begin(**db);
        const auto [code, said] = rig.command({u"enqueue"_s, u"quick"_s});
        QCOMPARE(code, 1);
        QVERIFY2(
            said.startsWith(u"redrive: the database 'redrive.db' is busy: process %1 ("_s.arg(::getpid())),
            qPrintable(said));
    }
};

QTEST_GUILESS_MAIN(StorageLockTest)
#include "lock_test.moc"
