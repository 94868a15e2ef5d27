#include "core/engine/engine.h"
#include "tests/deadletter/archive_rig.h"
#include "tests/support/plain_client.h"

#include <QFile>
#include <QTest>

#include <future>

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
    Result<ArchiveState> state()
    {
        std::promise<Result<ArchiveState>> answer;
        engine->archive([&](Result<ArchiveState> state) { answer.set_value(std::move(state)); });
        return answer.get_future().get();
    }
    Result<ArchiveTaskDone> doNow(ArchiveTask task)
    {
        std::promise<Result<ArchiveTaskDone>> answer;
        engine->archiveNow(task, [&](Result<ArchiveTaskDone> done) { answer.set_value(std::move(done)); });
        return answer.get_future().get();
    }
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

    void whatIsDueIsWrittenWhenAsked()
    {
        Rig rig;
        rig.archive.make.job(u"old"_s, u"open"_s, 14);
        rig.archive.make.job(u"binned"_s, u"discarded"_s, 7);
        rig.archive.make.job(u"young"_s, u"open"_s, 13);
        QCOMPARE(rig.start(), QString());
        ArchiveState state = *rig.state();
        QCOMPARE(state.backlog.due, 2);
        QCOMPARE(state.backlog.nextDueAtMs, std::optional(rig.clock->wallMs() + kDayMs));
        QVERIFY(state.files.isEmpty());
        QCOMPARE(rig.doNow(ArchiveTask::Write)->count, 2); // the clock stands still: not by itself
        QCOMPARE(rig.archive.idsIn(rig.archive.today()), u"old,binned"_s);
        QCOMPARE(rig.letters(), 1);
        QCOMPARE(rig.doNow(ArchiveTask::Write)->count, 0);
        state = *rig.state();
        QCOMPARE(state.backlog.due, 0);
        QCOMPARE(state.files.size(), 1);
        QCOMPARE(state.files.first().record.letters, 2);
        QVERIFY(qAbs(state.files.first().writtenAtMs - QDateTime::currentMSecsSinceEpoch()) < 60'000);
        QCOMPARE(rig.engine->health().archive.letters, 2);
        QVERIFY(rig.engine->health().archive.isOn && !rig.engine->health().archive.copies);
    }

    void whatCameBackIsTheNextToLeave()
    {
        Rig rig;
        rig.archive.make.job(u"back"_s, u"open"_s, 20);
        rig.archive.store.execute(
            u"UPDATE dead_letters SET changed_at_ms = %1"_s.arg(rig.clock->wallMs() - 3 * kDayMs));
        QCOMPARE(rig.start(), QString());
        const ArchiveBacklog backlog = rig.state()->backlog;
        QCOMPARE(backlog.due, 0);
        QCOMPARE(backlog.nextDueAtMs, std::optional(rig.clock->wallMs() + 11 * kDayMs));
    }

    void askingSaysWhyNot()
    {
        Rig rig;
        QVERIFY(QDir().mkpath(rig.archive.settings.dir));
        const auto other = ArchiveFolder(rig.archive.settings.dir).lock();
        QVERIFY(other);
        QCOMPARE(rig.start(), QString());
        QCOMPARE(rig.doNow(ArchiveTask::Write).error().kind, ErrorKind::Busy);
        QCOMPARE(rig.doNow(ArchiveTask::Upload).error().kind, ErrorKind::Refused);
        QCOMPARE(rig.notices(), QString()); // whoever works there tells
        rig.engine->stop();
        QCOMPARE(rig.doNow(ArchiveTask::Write).error().kind, ErrorKind::Refused);
        QVERIFY(!rig.state());

        Rig without;
        without.options.settings.archive = {};
        QCOMPARE(without.start(), QString());
        QVERIFY(without.state()->dir.isEmpty());
        QCOMPARE(without.doNow(ArchiveTask::Write).error().kind, ErrorKind::Refused);

        Rig locked;
        locked.options.readOnly = u"live"_s;
        locked.archive.make.job(u"old"_s, u"open"_s, 14);
        QCOMPARE(locked.start(), QString());
        QCOMPARE(locked.doNow(ArchiveTask::Write).error().kind, ErrorKind::Refused);
        QCOMPARE(locked.letters(), 1);
    }

    void anEngineThatConsumesNothingWritesOnlyWhenAsked()
    {
        Rig rig;
        rig.options.consume = false;
        rig.archive.make.job(u"old"_s, u"open"_s, 14);
        QCOMPARE(rig.start(), QString());
        rig.clock->advance(10 * Archiver::kEveryMs);
        QCOMPARE(rig.state()->backlog.due, 1);
        QCOMPARE(rig.doNow(ArchiveTask::Write)->count, 1);
        QCOMPARE(rig.archive.idsIn(rig.archive.today()), u"old"_s);
    }

    void theFolderThatIsNoneIsSeenBeforeItIsWritten()
    {
        Rig rig;
        QFile inTheWay(rig.archive.settings.dir);
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        QCOMPARE(rig.start(), QString());
        QVERIFY2(rig.state()->problem.contains(u"is no folder"_s), qPrintable(rig.state()->problem));
    }

    void healthAndMetricsTellSinceWhen()
    {
        Rig rig;
        rig.options.listen = true;
        rig.options.settings.listen = u"127.0.0.1:0"_s;
        rig.options.settings.archive.s3 =
            ArchiveBucket{u"http://127.0.0.1:1"_s, u"letters"_s, u"auto"_s, {}, u"A"_s, u"B"_s};
        rig.options.settings.secrets = {{u"A"_s, "access"}, {u"B"_s, "secret"}};
        rig.archive.make.job(u"old"_s, u"open"_s, 14);
        QCOMPARE(rig.start(), QString());
        const PlainClient client(rig.engine->health().listenUrl);
        QVERIFY(!client.get("/healthz").body.contains("archive"));
        QVERIFY(client.get("/metrics").body.contains("\nredrive_archive_upload_failing 0\n"));

        QCOMPARE(rig.doNow(ArchiveTask::Write)->count, 1);
        const QString since =
            QDateTime::fromMSecsSinceEpoch(rig.clock->wallMs(), Qt::UTC).toString(Qt::ISODate);
        QVERIFY(!rig.doNow(ArchiveTask::Upload));
        const PlainAnswer first = client.get("/healthz");
        QCOMPARE(first.status, 200);
        const QByteArray notice = "archive: its files are not copied to the bucket since " + since.toLatin1();
        QVERIFY2(first.body.contains(notice), first.body);
        QVERIFY(!first.body.contains("secret") && !first.body.contains("127.0.0.1"));
        rig.clock->advance(90'000); // it fails again, and has failed since then
        QVERIFY(client.get("/healthz").body.contains(notice));
        const QByteArray metrics = client.get("/metrics").body;
        QVERIFY(metrics.contains("\nredrive_archive_upload_failing 1\n"));
        QVERIFY(metrics.contains("\nredrive_archive_failing 0\n"));
        QVERIFY(metrics.contains("\nredrive_archive_letters_total 1\n"));

        for (int i = 0; i < 2; ++i) // what the thread had to do for the time that passed is done then
            QVERIFY(rig.doNow(ArchiveTask::Write));
        QVERIFY(QDir(rig.archive.settings.dir).removeRecursively());
        QFile inTheWay(rig.archive.settings.dir);
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        QVERIFY(!rig.doNow(ArchiveTask::Write));
        QVERIFY(client.get("/healthz")
                    .body.contains("archive: dead letters cannot be written to its folder since"));
        QVERIFY(client.get("/metrics").body.contains("\nredrive_archive_failing 1\n"));
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
