#include "tests/deadletter/archive_rig.h"
#include "tests/support/mounts.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <atomic>
#include <thread>

using namespace redrive;
using namespace redrive::test;

class ArchiveTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void oldLettersAndTheOldBinGoIntoTheDaysFile()
    {
        ArchiveRig rig;
        rig.make.job(u"old"_s, u"open"_s, 14);
        rig.make.job(u"young"_s, u"open"_s, 13.9);
        rig.make.job(u"binned"_s, u"discarded"_s, 7);
        rig.make.job(u"just-binned"_s, u"discarded"_s, 6.9);
        rig.make.job(u"requeued"_s, u"requeued"_s, 30);
        rig.make.letter(u"plain"_s, u"message"_s, u"open"_s, 20, u"'[1]'"_s);
        QCOMPARE(rig.archived(3), QString());
        QCOMPARE(rig.today(), u"letters-2030-03-17.ndjson.gz"_s);
        QCOMPARE(rig.idsIn(rig.today()), u"plain,old,binned"_s); // the longest dead first
        QCOMPARE(rig.idsInStore(), u"young,just-binned,requeued"_s);
        QCOMPARE(rig.lines(rig.today()).last().value(u"state"_s).toString(), u"discarded"_s);
        // The job stays as long again as one without a letter.
        QCOMPARE(rig.store.number(u"SELECT updated_at_ms FROM jobs WHERE id = 'old'"_s), rig.clock.wallMs());
        QCOMPARE(rig.store.number(u"SELECT letters FROM archive_files"_s), 3);
        QCOMPARE(rig.store.number(u"SELECT bytes FROM archive_files"_s),
                 QFileInfo(rig.pathOf(rig.today())).size());

        QCOMPARE(rig.archived(0), QString());
        rig.make.job(u"later"_s, u"open"_s, 15);
        QCOMPARE(rig.archived(1), QString());
        QCOMPARE(rig.idsIn(rig.today()), u"plain,old,binned,later"_s);
        QCOMPARE(rig.store.number(u"SELECT letters FROM archive_files"_s), 4);
    }

    void onlyItsOwnerMayReadIt()
    {
        ArchiveRig rig;
        rig.settings.dir = rig.place.filePath(u"a/b"_s);
        rig.make.job(u"old"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        const auto owner = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
        QCOMPARE(QFile::permissions(rig.pathOf(rig.today())), owner);
        for (const QString& made : {u"a"_s, u"a/b"_s})
            QCOMPARE(QFile::permissions(rig.place.filePath(made)), owner | QFile::ExeOwner | QFile::ExeUser);
    }

    void aDayIsAFileAndOldOnesGo()
    {
        ArchiveRig rig;
        rig.settings.keepMs = 2 * kDayMs;
        const QString first = rig.today();
        rig.make.job(u"a"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        rig.clock.advance(kDayMs);
        rig.make.job(u"b"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        QCOMPARE(rig.idsIn(first), u"a"_s);
        QCOMPARE(rig.idsIn(rig.today()), u"b"_s);
        const QString second = rig.today();
        rig.clock.advance(kDayMs); // the first day ended less than two days ago
        QCOMPARE(rig.archived(0), QString());
        QVERIFY(QFile::exists(rig.pathOf(first)));
        rig.clock.advance(kDayMs);
        QCOMPARE(rig.archived(0), QString());
        QVERIFY(!QFile::exists(rig.pathOf(first)));
        QVERIFY(QFile::exists(rig.pathOf(second)));
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM archive_files"_s), 1);
    }

    void whatIsNotInTheBucketYetIsNotDeleted()
    {
        ArchiveRig rig;
        rig.settings.keepMs = kDayMs;
        rig.settings.s3 = ArchiveBucket();
        const QString first = rig.today();
        rig.make.job(u"a"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        rig.clock.advance(9 * kDayMs);
        QCOMPARE(rig.archived(0), QString());
        QVERIFY(QFile::exists(rig.pathOf(first)));
        rig.store.execute(u"UPDATE archive_files SET uploaded_bytes = bytes"_s);
        QCOMPARE(rig.archived(0), QString());
        QVERIFY(!QFile::exists(rig.pathOf(first)));
    }

    void anInterruptedRoundIsFinishedAndNothingIsWrittenTwice()
    {
        ArchiveRig rig;
        const int many = 2 * ArchiveRound::kLettersInTurn + 7;
        for (int i = 0; i < many; ++i)
            rig.make.letter(u"m%1"_s.arg(i), u"message"_s, u"open"_s, 20, u"'[1]'"_s);
        int turns = 0;
        rig.beforeTurn = [&]() -> Status { // the second is never made
            return ++turns > 1 ? fail(ErrorKind::Busy, u"killed"_s) : Status();
        };
        QVERIFY(!rig.round());
        QCOMPARE(rig.lines(rig.today()).size(), many);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM dead_letters"_s),
                 many - ArchiveRound::kLettersInTurn);
        rig.beforeTurn = [] { return Status(); };
        rig.make.job(u"new"_s, u"open"_s, 14);
        rig.clock.advance(kDayMs); // and it is another day
        QCOMPARE(rig.archived(1), QString());
        QCOMPARE(rig.idsIn(rig.today()), u"new"_s);
        QCOMPARE(rig.lines(ArchiveFolder::fileName(rig.clock.wallMs() - kDayMs)).size(), many);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM dead_letters"_s), 0);
    }

    void aLetterThatIsRequeuedMeanwhileStays()
    {
        ArchiveRig rig;
        rig.make.job(u"a"_s, u"open"_s, 14);
        rig.make.job(u"b"_s, u"open"_s, 14);
        rig.beforeTurn = [&] {
            rig.store.execute(u"UPDATE dead_letters SET state = 'requeued', changed_at_ms = 9 "
                              "WHERE subject_id = 'a'"_s);
            return Status();
        };
        QCOMPARE(rig.archived(2), QString());
        QCOMPARE(rig.idsInStore(), u"a"_s);
    }

    void twoStoresShareAFolder()
    {
        ArchiveRig rig;
        ArchiveRig other;
        other.settings = rig.settings;
        rig.make.job(u"a"_s, u"open"_s, 14);
        other.make.job(u"b"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        QCOMPARE(other.archived(1), QString());
        QCOMPARE(rig.archived(0), QString());
        QCOMPARE(rig.idsIn(rig.today()), u"a,b"_s);
        const auto lock = ArchiveFolder(rig.settings.dir).lock();
        QVERIFY(lock);
        other.make.job(u"c"_s, u"open"_s, 14);
        const auto refused = other.round();
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::Busy);
    }

    void aReaderNeverSeesATornFile()
    {
        ArchiveRig rig;
        rig.make.job(u"first"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        const QString path = rig.pathOf(rig.today());
        std::atomic<bool> done = false;
        std::atomic<int> reads = 0;
        QByteArray bad;
        std::thread reader([&] {
            while (!done || reads == 0) {
                if (const QByteArray text = ArchiveRig::zcat(path); !text.endsWith("}\n"))
                    bad = text.right(200);
                ++reads;
            }
        });
        for (int i = 0; i < 15; ++i) {
            rig.make.letter(u"m%1"_s.arg(i), u"message"_s, u"open"_s, 20, u"randomblob(120000)"_s,
                            u"bytes"_s);
            QString failure = rig.archived(1);
            while (failure.startsWith(u"another process works in"_s)) // a fork of zcat's that holds the lock
                failure = rig.archived(1);
            if (!failure.isEmpty())
                bad = failure.toUtf8();
        }
        done = true;
        reader.join();
        QCOMPARE(bad, QByteArray());
        QVERIFY(reads > 0);
    }

    void aFullDiskLosesNothing()
    {
        ArchiveRig rig;
        QTemporaryDir folder;
        const auto disk = Mount::memory(folder.path(), 1 << 20);
        if (!disk)
            QSKIP("no file system of its own can be made here");
        rig.settings.dir = folder.path();
        rig.make.job(u"before"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        disk->fill();
        rig.make.letter(u"large"_s, u"message"_s, u"open"_s, 20, u"randomblob(120000)"_s, u"bytes"_s);
        const auto refused = rig.round();
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::StorageFull);
        QCOMPARE(rig.idsInStore(), u"large"_s);
        QCOMPARE(rig.idsIn(rig.today()), u"before"_s);
        disk->makeRoom();
        QCOMPARE(rig.archived(1), QString());
        QCOMPARE(rig.idsIn(rig.today()), u"before,large"_s);
        QCOMPARE(QDir(folder.path()).entryList({u"*.new"_s}, QDir::Files | QDir::Hidden), QStringList());
    }

    void aDamagedFileIsToldAndLeftAlone()
    {
        ArchiveRig rig;
        rig.make.job(u"a"_s, u"open"_s, 14);
        QDir().mkpath(rig.settings.dir);
        QFile file(rig.pathOf(rig.today()));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no gzip") > 0);
        file.close();
        const auto refused = rig.round();
        QVERIFY(!refused);
        QVERIFY2(refused.error().text().contains(rig.pathOf(rig.today())),
                 qPrintable(refused.error().text()));
        QCOMPARE(rig.idsInStore(), u"a"_s);
        QCOMPARE(file.size(), 7);
    }
};

QTEST_GUILESS_MAIN(ArchiveTest)
#include "archive_test.moc"
