// The files of a store: ballast, who holds its lock, whether it is still there, how it is read where nothing
// can be written, and reading it as a whole.
#include "core/db/ballast.h"
#include "core/db/file_watch.h"
#include "core/db/held_data.h"
#include "core/db/lock_holder.h"
#include "core/db/quick_check.h"
#include "core/db/read_only_store.h"
#include "core/db/store_fault.h"
#include "tests/support/test_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/statvfs.h>
#include <unistd.h>

#include <thread>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

class StoreFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ballastTakesRealSpace()
    {
        const QTemporaryDir folder;
        Ballast ballast(folder.filePath(u"jobs.db"_s), 1 << 20);
        QCOMPARE(ballast.make(), Ballast::Made::Yes);
        QCOMPARE(QFileInfo(ballast.path()).size(), 1 << 20);
        QCOMPARE(ballast.make(), Ballast::Made::Yes); // it is there
        QVERIFY(QFile(ballast.path()).resize(10));
        QCOMPARE(ballast.make(), Ballast::Made::Yes); // a torso is none
        QCOMPARE(QFileInfo(ballast.path()).size(), 1 << 20);
        ballast.giveBack();
        QVERIFY(!QFileInfo::exists(ballast.path()));
        QVERIFY(ballast.isRoom());
    }

    void ballastIsAtMostATwentiethOfTheDisk()
    {
        struct statvfs disk = {};
        const Ballast wanted(u"/tmp/jobs.db"_s, std::numeric_limits<qint64>::max());
        QCOMPARE(::statvfs("/tmp", &disk), 0);
        QCOMPARE(wanted.bytes(), qint64(disk.f_blocks) * qint64(disk.f_frsize) / 20);
    }

    void ballastThatCannotBeMadeSaysWhy()
    {
        Ballast nowhere(u"/proc/jobs.db"_s, 0);
        QCOMPARE(nowhere.make(), Ballast::Made::Yes); // none is wanted
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"jobs.db"_s);
        QVERIFY(QDir().mkpath(path + u"-ballast"_s)); // something of that name is in the way
        Ballast blocked(path, 1 << 20);
        QCOMPARE(blocked.make(), Ballast::Made::Failed);
        QVERIFY(!blocked.failure().isEmpty());
    }

    void aFileThatIsRenamedDeletedOrReplacedIsGone()
    {
        TestStore store;
        store.execute(u"INSERT INTO queues (name, created_at_ms) VALUES ('a', 1)"_s);
        const QString path = store.target().path;
        const FileWatch watch(store.target());
        QVERIFY(watch.check());
        for (const QString& name : {path, path + u"-wal"_s}) {
            QVERIFY(QFile::rename(name, name + u".away"_s));
            QVERIFY(!watch.check());
            QVERIFY(QFile(name).open(QIODevice::WriteOnly));
            QVERIFY(!watch.check()); // another file under its name
            QVERIFY(QFile::remove(name) && QFile::rename(name + u".away"_s, name));
            QVERIFY(watch.check());
        }
    }

    void theHolderOfALockIsNeverThisProcess()
    {
        TestStore store;
        QVERIFY(store.db().execute(u"BEGIN IMMEDIATE"_s));
        QVERIFY(!writeLockHolder(store.target()));
        const auto failure = describeFailure(store.target(), {ErrorKind::Busy, {}, {}, {}});
        QCOMPARE(failure.text(), u"the database 'jobs.db' is busy: another process holds it. Try again"_s);
    }

    void faultsInWords()
    {
        const DatabaseTarget target{u"/tmp/jobs.db"_s};
        const auto words = [&](ErrorKind kind) {
            return describeFault(target, {kind, u"running"_s, u"words"_s, {}}, {1'204, 64 << 20}).text();
        };
        QCOMPARE(words(ErrorKind::StorageFull),
                 u"Disk full on /tmp: new jobs are refused, 1,204 jobs wait. Free at "
                 u"least 64 MB; work resumes by itself."_s);
        QCOMPARE(words(ErrorKind::ConnectionLost),
                 u"'jobs.db' in '/tmp' cannot be read or written. New jobs are "
                 u"refused; work resumes by itself: words"_s);
        QCOMPARE(words(ErrorKind::Constraint), u"running: words"_s);
    }

    void aReadOnlyStoreIsReadWhereItIsOrFromACopy()
    {
        TestStore store;
        store.execute(u"INSERT INTO queues (name, created_at_ms) VALUES ('a', 1)"_s); // in the log
        const QTemporaryDir folder;
        const DatabaseTarget copy{folder.filePath(u"a b?#%.db"_s)};
        QVERIFY(QFile::copy(store.target().path, copy.path));
        const auto without = ReadOnlyStore::make(copy);
        QVERIFY((*without)->address().startsWith(u"file://"_s) &&
                (*without)->address().endsWith(u"?immutable=1"_s));
        QVERIFY(QFile::copy(store.target().path + u"-wal"_s, copy.path + u"-wal"_s));
        const auto with = ReadOnlyStore::make(copy);
        QVERIFY(!(*with)->address().contains(u"immutable"_s));
        QVERIFY(!(*with)->address().contains(folder.path()));
    }

    void theWholeStoreIsReadAndDamageFound()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"jobs.db"_s);
        {
            TestStore store;
            QVERIFY(quickCheck(store.db()));
            store.execute(u"INSERT INTO queues (name, created_at_ms) SELECT hex(randomblob(200)), 1 FROM "
                          u"(WITH RECURSIVE n(i) AS "
                          "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i FROM n)"_s);
            store.execute(u"VACUUM INTO '%1'"_s.arg(path));
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() / 2));
        file.write(QByteArray(10'000, '\x5a'));
        file.close();
        const auto db = Connection::open({path}, Access::Reader);
        const Status checked = quickCheck(**db);
        QVERIFY(!checked);
        QCOMPARE(checked.error().kind, ErrorKind::Corrupt);
    }

    void readingItCanBeInterrupted()
    {
        TestStore store;
        const std::function<void()> interrupt = store.db().interrupter();
        QVERIFY(interrupt);
        std::atomic<bool> ended = false;
        std::thread other([&] {
            while (!ended)
                interrupt();
        });
        auto endless = store.db().dynamicQuery(
            u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"_s);
        const bool answered = endless.next();
        ended = true;
        other.join();
        QVERIFY(!answered);
        QCOMPARE(endless.status().error().kind, ErrorKind::Cancelled);
    }

    void whenItWasCheckedIsKept()
    {
        TestStore store;
        QVERIFY(noteHeldData(store.db(), 1'000));
        noteChecked(store.target(), 2'000);
        QVERIFY(noteHeldData(store.db(), 3'000));
        QCOMPARE(readHeldData(store.target())->checkedAtMs, 2'000);
        QCOMPARE(readHeldData(store.target())->atMs, 3'000);
    }
};

QTEST_GUILESS_MAIN(StoreFilesTest)
#include "store_files_test.moc"
