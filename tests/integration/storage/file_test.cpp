// The database file itself: moved, deleted or replaced under a running engine, on a file system that cannot
// be written, damaged.
#include "tests/integration/storage/storage_rig.h"
#include "tests/support/mounts.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <csignal>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kSeenMs = 1'500; // a look every half a second, and the time to ask
constexpr int kBackMs = 10'000;

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

const QString kGone =
    u"The database file was moved or deleted while in use. New jobs are refused. Put the file back "
    u"or choose another one."_s;

} // namespace

class StorageFileTest : public QObject
{
    Q_OBJECT

    // A store with jobs that are done, and no engine on it.
    static void fillStore(StorageRig& rig, int jobs, bool killed)
    {
        QVERIFY2(rig.start(), rig.serve().log());
        for (int job = 0; job < jobs; ++job)
            QCOMPARE(rig.post('"' + QByteArray(3'000, 'x') + '"').status, 202);
        QTRY_COMPARE(rig.open(), 0);
        if (killed) {
            rig.serve().killNow();
        } else {
            rig.serve().signal(SIGTERM);
            QCOMPARE(rig.serve().exitWithin(30'000), std::optional(0));
        }
    }

private Q_SLOTS:
    void aFileThatIsMovedAwayAndComesBack_data()
    {
        QTest::addColumn<bool>("replaced");
        QTest::newRow("moved") << false;
        QTest::newRow("another one in its place") << true;
    }
    void aFileThatIsMovedAwayAndComesBack()
    {
        QFETCH(bool, replaced);
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        QCOMPARE(rig.post().status, 202);
        QTRY_COMPARE(rig.open(), 0);
        const QString elsewhere = rig.path(u"elsewhere.db"_s);
        QVERIFY(QFile::rename(rig.database(), elsewhere));
        if (replaced)
            QVERIFY(QFile::copy(elsewhere, rig.database()));
        const PlainAnswer refused = rig.post(); // before anybody has looked: nothing is acknowledged
        QCOMPARE(refused.status, 503);
        QCOMPARE(StorageRig::code(refused), "read_only");
        QCOMPARE(StorageRig::retryAfter(refused), 60);
        QCOMPARE(rig.reason(), kGone);
        if (replaced)
            QVERIFY(QFile::remove(rig.database()));
        QVERIFY(QFile::rename(elsewhere, rig.database()));
        QTRY_VERIFY_WITH_TIMEOUT(rig.isHealthy(), kBackMs);
        QCOMPARE(rig.post().status, 202);
        QTRY_COMPARE(rig.open(), 0);
        QCOMPARE(rig.failures(), 0);
        QCOMPARE(rig.number(u"SELECT count(*) FROM jobs"_s), 2);
    }

    void aDeletedFileIsSeenWithinASecond()
    {
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        QVERIFY(QFile::remove(rig.database()));
        QTRY_COMPARE_WITH_TIMEOUT(rig.reason(), kGone, kSeenMs); // nobody writes meanwhile
        QCOMPARE(rig.post().status, 503);
        rig.serve().signal(SIGTERM);
        QCOMPARE(rig.serve().exitWithin(30'000), std::optional(0));
        QVERIFY(!QFileInfo::exists(rig.database()));
    }

    void aReadOnlyFileSystem_data()
    {
        QTest::addColumn<bool>("killed");
        QTest::newRow("stopped before") << false;
        QTest::newRow("killed before: the newest jobs are in the log") << true;
    }
    void aReadOnlyFileSystem()
    {
        QFETCH(bool, killed);
        const QTemporaryDir place;
        const QString from = place.filePath(u"from"_s);
        const QString seen = place.filePath(u"seen"_s);
        QVERIFY(QDir().mkpath(from) && QDir().mkpath(seen));
        {
            StorageRig rig(from + u"/jobs.db"_s);
            fillStore(rig, 5, killed);
        }
        QFile::remove(from + u"/jobs.db-shm"_s); // nothing that helps a reader
        const auto mount = Mount::readOnly(from, seen);
        if (!mount)
            QSKIP("a mount needs root");
        StorageRig rig(mount->path(u"jobs.db"_s));
        const QByteArray before = read(rig.database());
        const auto [listed, listWords] = rig.command({u"jobs"_s, u"--json"_s});
        QVERIFY2(listed == 0, qPrintable(listWords));
        QCOMPARE(rig.number(u"SELECT count(*) FROM jobs WHERE status = 'done'"_s), 5);
        const QString words =
            u"'jobs.db' is read-only: the file or its folder cannot be written. Nothing has been changed."_s;
        const auto [code, said] = rig.command({u"enqueue"_s, u"quick"_s});
        QCOMPARE(code, 1);
        QVERIFY2(said.startsWith(u"redrive: "_s + words), qPrintable(said));
        QVERIFY(!rig.start());
        QVERIFY2(rig.serve().log().contains(words.toUtf8()), rig.serve().log());
        QCOMPARE(read(rig.database()), before);
    }

    // Found by reading the whole file after the start, though nothing else has met it.
    void damageIsFoundAndNothingIsWrittenAnyMore()
    {
        StorageRig rig;
        fillStore(rig, 150, false);
        QByteArray content = read(rig.database());
        const qsizetype middle = content.size() / 2;
        content.replace(middle, 60'000, QByteArray(60'000, '\x5a'));
        write(rig.database(), content);
        QVERIFY2(rig.start(), rig.serve().log());
        QTRY_VERIFY_WITH_TIMEOUT(!rig.isHealthy(), 5'000);
        const QString reason = rig.reason();
        QVERIFY2(reason.startsWith(u"'redrive.db' is damaged"_s) &&
                     reason.contains(
                         u"It is now read-only so that nothing gets worse. Last good backup: none."_s) &&
                     reason.contains(u" redrive recover --database "_s),
                 qPrintable(reason));
        const PlainAnswer refused = rig.post();
        QCOMPARE(refused.status, 503);
        QCOMPARE(StorageRig::code(refused), "read_only");
        QCOMPARE(StorageRig::retryAfter(refused), 60);
        const auto [code, said] = rig.command({u"jobs"_s, u"--limit"_s, u"0"_s});
        QCOMPARE(code, 1); // not a short list
        QVERIFY2(said.startsWith(u"redrive: 'redrive.db' is damaged"_s), qPrintable(said));
        rig.serve().signal(SIGTERM);
        QCOMPARE(rig.serve().exitWithin(30'000), std::optional(0));
        QVERIFY(read(rig.database()).mid(middle, 60'000) ==
                QByteArray(60'000, '\x5a')); // nothing tried to mend it
    }

    // A log that is not this database's: nothing in it is believed unless it says so itself.
    void aLogOfGarbageIsIgnored()
    {
        StorageRig rig;
        fillStore(rig, 5, false);
        write(rig.database() + u"-wal"_s, QByteArray(100'000, '\x5a'));
        QVERIFY2(rig.start(), rig.serve().log());
        QCOMPARE(rig.post().status, 202);
        QTRY_COMPARE(rig.open(), 0);
        QCOMPARE(rig.number(u"SELECT count(*) FROM jobs"_s), 6);
        QVERIFY(rig.isHealthy());
    }

    // What a killed engine left is looked at before the first writer merges it.
    void damageBesideALeftLogIsRefusedUntouched()
    {
        StorageRig rig;
        fillStore(rig, 150, false);
        fillStore(rig, 2, true);
        QByteArray content = read(rig.database());
        content.replace(content.size() / 2, 60'000, QByteArray(60'000, '\x5a'));
        write(rig.database(), content);
        const QByteArray log = read(rig.database() + u"-wal"_s);
        QVERIFY(!log.isEmpty());
        QVERIFY(!rig.start());
        QCOMPARE(rig.serve().exitWithin(5'000), std::optional(1));
        QVERIFY2(rig.serve().log().contains("redrive: 'redrive.db' is damaged"), rig.serve().log());
        QVERIFY(read(rig.database()) == content);
        QVERIFY(read(rig.database() + u"-wal"_s) == log);
    }
};

QTEST_GUILESS_MAIN(StorageFileTest)
#include "file_test.moc"
