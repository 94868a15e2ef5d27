#include "core/engine/engine.h"
#include "tests/deadletter/archive_rig.h"

#include <QFile>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

// An engine over a store with old letters, with a clock that the test moves.
struct Rig
{
    Rig()
    {
        options.clock = clock;
        options.database = archive.store.target();
        options.listen = false;
        options.ballastBytes = 0;
        options.settings.archive = archive.settings;
    }

    ArchiveRig archive; // its store, folder and makers
    std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>(archive.clock.wallMs());
    EngineOptions options;
    std::unique_ptr<Engine> engine;

    QString start()
    {
        auto started = Engine::start(options);
        if (!started)
            return started.error().text();
        engine = std::move(*started);
        return {};
    }
    qint64 letters() { return archive.store.number(u"SELECT count(*) FROM dead_letters"_s); }
    QString notices() const { return engine->health().notices.join(u'\n'); }
};

} // namespace

class ArchiverTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void anEngineArchivesWhatIsDueAndLaterTheRest()
    {
        Rig rig;
        rig.archive.make.job(u"old"_s, u"open"_s, 14);
        rig.archive.make.job(u"binned"_s, u"discarded"_s, 7);
        rig.archive.make.job(u"young"_s, u"open"_s, 13.5);
        QCOMPARE(rig.start(), QString());
        rig.clock->advance(Archiver::kFirstAfterMs);
        QTRY_COMPARE(rig.letters(), 1);
        QCOMPARE(rig.archive.idsIn(rig.archive.today()), u"old,binned"_s);
        rig.clock->advance(kDayMs);
        QTRY_COMPARE(rig.letters(), 0);
        QCOMPARE(rig.archive.idsIn(ArchiveFolder::fileName(rig.clock->wallMs())), u"young"_s);
        QCOMPARE(rig.notices(), QString());
    }

    void whatCannotBeArchivedStaysWithANotice()
    {
        Rig rig;
        rig.archive.make.job(u"old"_s, u"open"_s, 14);
        QFile inTheWay(rig.archive.settings.dir);
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        QCOMPARE(rig.start(), QString());
        rig.clock->advance(Archiver::kFirstAfterMs);
        QTRY_VERIFY2(rig.notices().contains(u"it cannot be written"), qPrintable(rig.notices()));
        for (int i = 0; i < 20; ++i) // the rounds of retention
            rig.clock->advance(Retention::kEveryMs);
        QCOMPARE(rig.letters(), 1);
        QVERIFY(inTheWay.remove());
        rig.clock->advance(Archiver::kAgainMs);
        QTRY_COMPARE(rig.letters(), 0);
        QTRY_COMPARE(rig.notices(), QString());
        QCOMPARE(rig.archive.idsIn(ArchiveFolder::fileName(rig.clock->wallMs())), u"old"_s);
    }

    void aBucketThatRefusesIsANoticeOnly()
    {
        Rig rig;
        rig.options.settings.archive.s3 =
            ArchiveBucket{u"http://127.0.0.1:1"_s, u"letters"_s, u"auto"_s, {}, u"A"_s, u"B"_s};
        rig.options.settings.secrets = {{u"A"_s, "access"}, {u"B"_s, "secret"}};
        rig.archive.make.job(u"old"_s, u"open"_s, 14);
        QCOMPARE(rig.start(), QString());
        rig.clock->advance(Archiver::kFirstAfterMs);
        QTRY_COMPARE(rig.letters(), 0);
        rig.clock->advance(Archiver::kEveryMs);
        QTRY_VERIFY2(rig.notices().contains(u"not copied for now"), qPrintable(rig.notices()));
        QVERIFY(!rig.notices().contains(u"secret"));
    }

    void withoutAnArchiveRetentionDeletes()
    {
        Rig rig;
        rig.options.settings.archive = {};
        rig.archive.make.job(u"old"_s, u"open"_s, 14);
        QCOMPARE(rig.start(), QString());
        for (int i = 0; i < 500 && rig.letters() > 0; ++i) {
            rig.clock->advance(Retention::kFirstAfterMs);
            QTest::qWait(5);
        }
        QCOMPARE(rig.letters(), 0);
        QVERIFY(!QFile::exists(rig.archive.settings.dir));
    }
};

QTEST_GUILESS_MAIN(ArchiverTest)
#include "archiver_test.moc"
