#include "core/engine/list_export.h"

#include "tests/support/manual_clock.h"
#include "tests/support/mounts.h"
#include "tests/support/test_store.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace redrive;
using namespace redrive::test;

namespace {

struct Export
{
    TestStore store;
    QTemporaryDir folder;
    std::atomic<bool> stop = false;

    Export()
    {
        job(u"plain"_s, u"mail"_s, u"broke"_s);
        job(u"quoted"_s, u"a,b"_s, u"say ''hi'', \"you\"\nand go"_s);
        job(u"formula"_s, u"=cmd|''/c calc''!A1"_s, u"+1"_s);
    }
    void job(const QString& id, const QString& type, const QString& error)
    {
        store.execute(
            u"INSERT INTO jobs (id, type, status, error, created_at_ms, updated_at_ms) VALUES ('%1', "
            "'%2', 'dead', '%3', 5, 5)"_s.arg(id, type, error));
    }
    Result<ExportDone> run(const QString& path, ExportForm form = ExportForm::Csv, const QString& filter = {})
    {
        ExportRequest request;
        request.list.filter = filter;
        request.list.ascending = true;
        request.form = form;
        request.path = path;
        return exportList(store.db(), request, {}, 1'900'000'000'000, stop);
    }
    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
    }
};

} // namespace

class ListExportTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void spreadsheetsTakeNothingForAFormula()
    {
        Export e;
        const QString path = e.folder.filePath(u"jobs.csv"_s);
        const auto done = e.run(path);
        QVERIFY(done.has_value());
        QCOMPARE(done->rows, 3);
        const QByteArray text = Export::read(path);
        QVERIFY2(text.startsWith("id,type,status,queue,reason,error,run,"), text.constData());
        QVERIFY2(text.contains("formula,'=cmd|'/c calc'!A1,dead,,,'+1,1,"), text.constData());
        QVERIFY2(text.contains("quoted,\"a,b\",dead,,,\"say 'hi', \"\"you\"\"\nand go\",1,"),
                 text.constData());
        QVERIFY(text.endsWith("\r\n"));
    }

    void linesOfJsonAreExact()
    {
        Export e;
        const QString path = e.folder.filePath(u"jobs.jsonl"_s);
        QCOMPARE(e.run(path, ExportForm::JsonLines, u"type:\"a,b\""_s)->rows, 1);
        const QJsonObject row = QJsonDocument::fromJson(Export::read(path)).object();
        QCOMPARE(row.value(u"id"_s).toString(), u"quoted"_s);
        QCOMPARE(row.value(u"error"_s).toString(), u"say 'hi', \"you\"\nand go"_s);
        QVERIFY(row.value(u"queue"_s).isNull());
    }

    void nothingIsLeftOfOneThatFails()
    {
        Export e;
        const QString path = e.folder.filePath(u"jobs.csv"_s);
        QVERIFY(e.run(path));
        const QByteArray before = Export::read(path);
        QVERIFY(!e.run(path, ExportForm::Csv, u"age:>3x"_s));
        e.stop = true;
        QCOMPARE(e.run(path).error().kind, ErrorKind::Cancelled);
        e.stop = false;
        QCOMPARE(Export::read(path), before); // the old one is whole
        const auto nowhere = e.run(e.folder.filePath(u"missing/jobs.csv"_s));
        QVERIFY(!nowhere);
        QVERIFY2(nowhere.error().message.startsWith(u"The export could not be written: "_s),
                 qPrintable(nowhere.error().message));
        QCOMPARE(QDir(e.folder.path()).entryList(QDir::Files), QStringList{u"jobs.csv"_s});
    }

    void aFullDiskLeavesNoFile()
    {
        Export e;
        e.store.execute(
            u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT "
            "INTO jobs (id, type, status, created_at_ms, updated_at_ms) SELECT 'j' || i, 't', "
            "'done', 5, 5 FROM n"_s);
        QTemporaryDir place;
        const auto disk = Mount::memory(place.path(), 256 * 1024);
        if (!disk)
            QSKIP("file systems of one's own need root");
        const auto failed = e.run(disk->path(u"jobs.csv"_s));
        QVERIFY(!failed);
        QVERIFY2(failed.error().message.contains(place.path()), qPrintable(failed.error().message));
        QVERIFY(failed.error().message.endsWith(u"No file was left behind."_s));
        QVERIFY(QDir(place.path()).entryList(QDir::Files).isEmpty());
    }

    void oneAtATimeAndStoppedWithTheEngine()
    {
        Export e;
        ManualClock clock;
        ListExporter exporter(clock, e.store.target(), {});
        std::promise<Result<ExportDone>> answered;
        ExportRequest request;
        request.path = e.folder.filePath(u"jobs.csv"_s);
        exporter.start(request, [&](Result<ExportDone> done) { answered.set_value(std::move(done)); });
        QCOMPARE(answered.get_future().get()->rows, 3);
        exporter.stop();
        std::optional<ErrorKind> refused;
        exporter.start(request, [&](const Result<ExportDone>& done) { refused = done.error().kind; });
        QCOMPARE(refused, std::optional(ErrorKind::Refused));
    }
};

QTEST_GUILESS_MAIN(ListExportTest)
#include "list_export_test.moc"
