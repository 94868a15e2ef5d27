// Letters that an engine brings back from a file, as the window asks for it.
#include "core/base/gzip.h"
#include "core/engine/engine.h"
#include "tests/deadletter/archive_rig.h"

#include <QFile>
#include <QTest>

#include <future>

using namespace redrive;
using namespace redrive::test;

namespace {

// An engine over a store whose letters went into a file.
struct Rig
{
    explicit Rig(int count)
    {
        archive.store.execute(u"BEGIN"_s);
        for (int i = 0; i < count; ++i)
            archive.make.job(u"job%1"_s.arg(i, 4, 10, QChar(u'0')), u"open"_s, 14);
        archive.store.execute(u"COMMIT"_s);
        if (const QString wrong = archive.archived(count); !wrong.isEmpty())
            qFatal("%s", qPrintable(wrong));
        archive.store.execute(u"DELETE FROM jobs"_s);
        options.clock = clock;
        options.database = archive.store.target();
        options.listen = false;
        options.ballastBytes = 0;
    }

    ArchiveRig archive;
    std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>(archive.clock.wallMs());
    EngineOptions options;
    std::unique_ptr<Engine> engine;

    void start()
    {
        auto started = Engine::start(options);
        if (!started)
            qFatal("%s", qPrintable(started.error().text()));
        engine = std::move(*started);
    }
    QString file() const { return archive.pathOf(archive.today()); }
    QString written(const QByteArray& content) const
    {
        const QString path = archive.place.filePath(u"other.ndjson"_s);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("no file");
        return path;
    }
    ImportRequest request(const QString& path, bool previews) const
    {
        return {path, previews, u"anna"_s, u"console"_s, u"mended"_s};
    }
    // The last that is said of it.
    Result<ImportProgress> import(const QString& path, bool previews)
    {
        std::promise<Result<ImportProgress>> last;
        engine->importLetters(request(path, previews), [&](Result<ImportProgress> progress) {
            if (!progress || progress->isLast)
                last.set_value(std::move(progress));
        });
        return last.get_future().get();
    }
    qint64 letters() { return archive.store.number(u"SELECT count(*) FROM dead_letters"_s); }
    QString audit()
    {
        return archive.store.text(
            u"SELECT group_concat(actor || '|' || source || '|' || verb || '|' || count || '|' || "
            "ifnull(reason, '') || '|' || result, char(10)) FROM audit"_s);
    }
};

} // namespace

class LetterImporterTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aPreviewChangesNothingAndAnImportBringsEachOnce()
    {
        Rig rig(250);
        rig.start();
        const auto preview = rig.import(rig.file(), true);
        QVERIFY(preview);
        QCOMPARE(preview->counts.brought, 250);
        QCOMPARE(preview->fault, QString());
        QCOMPARE(preview->bytesRead, preview->bytes);
        QCOMPARE(rig.letters(), 0);
        QCOMPARE(rig.audit(), QString());
        const auto imported = rig.import(rig.file(), false);
        QVERIFY(imported);
        QCOMPARE(imported->counts.brought, 250);
        QCOMPARE(rig.letters(), 250);
        QCOMPARE(rig.archive.store.number(u"SELECT count(DISTINCT subject_id) FROM dead_letters"_s), 250);
        QCOMPARE(rig.audit(), u"anna|console|import|250|mended|ok"_s);
        const auto again = rig.import(rig.file(), false);
        QCOMPARE(again->counts.brought, 0);
        QCOMPARE(again->counts.there, 250);
        QCOMPARE(rig.letters(), 250);
        QVERIFY(rig.audit().endsWith(u"\nanna|console|import|0|mended|ok, 250 there already"_s));
    }

    void badLinesAreNamedAndLeftOut()
    {
        Rig rig(2);
        rig.start();
        const QByteArrayList good = ArchiveRig::zcat(rig.file()).split('\n');
        QByteArray text = good[0] + "\n{\n" + good[1] + '\n';
        for (int i = 0; i < 300; ++i)
            text += "rubbish\n";
        const QString path = rig.written(text);
        for (const bool previews : {true, false}) {
            const auto done = rig.import(path, previews);
            QVERIFY(done);
            QCOMPARE(done->counts.brought, 2);
            QCOMPARE(done->counts.bad, 301);
            QCOMPARE(done->badLines.size(), ImportProgress::kBadLinesNamed);
            QCOMPARE(done->badLines.first().line, 2);
            QVERIFY(done->badLines.first().why.startsWith(u"is no JSON"_s));
        }
        QCOMPARE(rig.letters(), 2);
        QVERIFY(rig.audit().endsWith(u"|ok, 301 bad lines"_s));
    }

    void aDamagedFileGivesWhatCanBeRead()
    {
        Rig rig(2);
        rig.start();
        const QByteArrayList good = ArchiveRig::zcat(rig.file()).split('\n');
        const QByteArray second = gzipMember(good[1] + '\n');
        const QString path = rig.written(gzipMember(good[0] + '\n') + second.left(second.size() / 2));
        const auto preview = rig.import(path, true);
        QCOMPARE(preview->counts.brought, 1);
        QVERIFY2(preview->fault.startsWith(u"the file "_s), qPrintable(preview->fault));
        const auto imported = rig.import(path, false);
        QCOMPARE(imported->counts.brought, 1);
        QVERIFY(!imported->wasStopped);
        QCOMPARE(rig.letters(), 1);
        QVERIFY2(rig.audit().contains(u"|import|1|mended|ended: the file "_s), qPrintable(rig.audit()));
    }

    void whatCannotBeOpenedIsAnError()
    {
        Rig rig(1);
        rig.start();
        const auto missing = rig.import(u"/no/such/file"_s, false);
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, ErrorKind::NotFound);
        rig.engine->stop();
        QVERIFY(!rig.import(rig.file(), true));
    }

    void aReadOnlyProfileOnlyLooks()
    {
        Rig rig(1);
        rig.options.readOnly = u"live"_s;
        rig.start();
        QCOMPARE(rig.import(rig.file(), true)->counts.brought, 1);
        QCOMPARE(rig.import(rig.file(), false).error().kind, ErrorKind::Refused);
        QCOMPARE(rig.letters(), 0);
    }

    void anEngineThatConsumesNothingImportsToo()
    {
        Rig rig(120);
        rig.options.consume = false;
        rig.start();
        QCOMPARE(rig.import(rig.file(), false)->counts.brought, 120);
        QCOMPARE(rig.letters(), 120);
    }

    // Stopped by the answer to the preview, before the import has begun.
    void whatIsStoppedIsRecordedWithWhatCameBack()
    {
        Rig rig(250);
        rig.start();
        std::promise<Result<ImportProgress>> last;
        rig.engine->importLetters(rig.request(rig.file(), true), [&](const Result<ImportProgress>&) {
            rig.engine->importLetters(rig.request(rig.file(), false), [&](Result<ImportProgress> progress) {
                if (!progress || progress->isLast)
                    last.set_value(std::move(progress));
            });
            rig.engine->stopImports();
        });
        const auto stopped = last.get_future().get();
        QVERIFY(stopped && stopped->wasStopped);
        QCOMPARE(stopped->counts.brought, 100);
        QCOMPARE(rig.letters(), 100);
        QCOMPARE(rig.audit(), u"anna|console|import|100|mended|stopped"_s);
        QCOMPARE(rig.import(rig.file(), false)->counts.brought, 150); // the next one is none of that
    }

    void anEngineThatStopsRecordsWhatCameBack()
    {
        Rig rig(2'000);
        rig.start();
        std::promise<void> begun;
        std::promise<Result<ImportProgress>> last;
        rig.engine->importLetters(rig.request(rig.file(), true), [&](const Result<ImportProgress>&) {
            rig.engine->importLetters(rig.request(rig.file(), false), [&](Result<ImportProgress> progress) {
                if (!progress || progress->isLast)
                    last.set_value(std::move(progress));
            });
            begun.set_value();
        });
        begun.get_future().get();
        rig.engine->stop();
        const auto done = last.get_future().get();
        QVERIFY(done);
        QCOMPARE(rig.letters(), done->counts.brought);
        QVERIFY(done->counts.brought >= 100);
        QCOMPARE(rig.archive.store.number(u"SELECT sum(count) FROM audit"_s), done->counts.brought);
    }

    void progressIsTold()
    {
        Rig rig(300);
        struct Hasty final : Clock // every look at it is a second later
        {
            qint64 wallMs() const override { return 1'900'000'000'000; }
            qint64 steadyMs() const override { return m_ms += 1'000; }
            qint64 bootMs() const override { return m_ms; }
            mutable std::atomic<qint64> m_ms = 1'000'000;
        };
        Hasty clock;
        LetterImporter importer(clock, rig.archive.store.target());
        importer.start(rig.archive.turn());
        std::promise<QList<qint64>> told;
        QList<qint64> counts;
        importer.import(rig.request(rig.file(), true), [&](const Result<ImportProgress>& progress) {
            counts.append(progress ? progress->counts.brought : -1);
            if (!progress || progress->isLast)
                told.set_value(counts);
        });
        QCOMPARE(told.get_future().get(), (QList<qint64>{100, 200, 300, 300}));
    }
};

QTEST_GUILESS_MAIN(LetterImporterTest)
#include "letter_importer_test.moc"
