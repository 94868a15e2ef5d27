// redrive archive and redrive import as real processes, beside buckets that check signatures: one of ours,
// and npm's @20minutes/s3rver.
#include "core/db/migrator.h"
#include "tests/app/program.h"
#include "tests/support/bucket_server.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kInstallMs = 120'000;
constexpr int kServeMs = 30'000;

// Installs the package once, beside the build. Empty: it is there; else why not.
QString installServer(const QString& folder)
{
    if (QFileInfo::exists(folder + u"/node_modules/@20minutes/s3rver/package.json"_s))
        return {};
    QDir().mkpath(folder);
    QProcess npm;
    npm.start(u"npm"_s, {u"install"_s, u"--prefix"_s, folder, u"--no-audit"_s, u"--no-fund"_s,
                         u"--ignore-scripts"_s, u"@20minutes/s3rver@4"_s});
    if (!npm.waitForStarted())
        return u"there is no npm"_s;
    if (!npm.waitForFinished(kInstallMs)) {
        npm.kill();
        npm.waitForFinished();
        return u"npm did not end in two minutes"_s;
    }
    return npm.exitCode() == 0 ? QString()
                               : u"npm cannot install @20minutes/s3rver: "_s + npm.readAllStandardError();
}

// The program with an archive and two old letters.
struct Place
{
    explicit Place(const QByteArray& bucket = {})
    {
        program.write(u"wrangler.toml"_s, "[redrive.archive]\ndir = \"archive\"\n" + bucket);
        program.write(u".dev.vars"_s, "ACCESS=\"AKIDEXAMPLE\"\nSECRET=\"secret/Key+1\"\n"
                                      "S3RVER_KEY=\"S3RVER\"\n");
        program.write(u"data/.keep"_s, {});
        auto db = openStore({program.database()}, Access::Writer, 1);
        const Status made = (*db)->execute(
            u"INSERT INTO dead_letters (kind, subject_id, state, source_queue, attempts, reason, "
            u"content_type, "
            "body, sent_at_ms, dead_at_ms, changed_at_ms) VALUES ('message', 'a', 'open', 'q', 1, 'failed', "
            "'text', 'gr\u00fc\u00df', 5, 6, 6), ('message', 'b', 'discarded', 'q', 1, 'failed', 'bytes', "
            "x'00ff', 5, 7, 7)"_s);
        if (!made)
            qFatal("%s", qPrintable(made.error().text()));
    }
    Program program;

    QString file() const
    {
        return program.path(u"archive/"_s + QDir(program.path(u"archive"_s)).entryList({u"*.gz"_s}).value(0));
    }
    QString rows()
    {
        auto db = openStore({program.database()}, Access::Reader);
        auto query =
            (*db)->dynamicQuery(u"SELECT group_concat(subject_id || state || hex(body)) FROM dead_letters"_s);
        return query.next() ? query.text(0) : QString();
    }
};

QByteArray bucketAt(const QString& url, const QByteArray& region, const QByteArray& access,
                    const QByteArray& secret)
{
    return "[redrive.archive.s3]\nurl = \"" + url.toUtf8() + "\"\nbucket = \"letters\"\nregion = \"" +
           region + "\"\nprefix = \"eu/\"\naccess_key = \"" + access + "\"\nsecret_key = \"" + secret +
           "\"\n";
}

} // namespace

class ArchiveCommandTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void archivesListsAndImports()
    {
        Place place;
        const Program& program = place.program;
        QCOMPARE(program.run({u"archive"_s}).code, 0); // nothing yet
        const Outcome archived = program.run({u"archive"_s, u"now"_s});
        QCOMPARE(archived.out, u"archived 2\n"_s);
        QCOMPARE(place.rows(), QString());
        const Outcome listed = program.run({u"archive"_s, u"--json"_s});
        QCOMPARE(listed.lines().size(), 1);
        QCOMPARE(listed.json().value(u"letters"_s).toInt(), 2);
        QCOMPARE(listed.json().value(u"bytes"_s).toInteger(), QFileInfo(place.file()).size());
        QVERIFY(program.run({u"archive"_s}).out.contains(QFileInfo(place.file()).fileName()));

        const Outcome plan = program.run({u"import"_s, place.file(), u"--dry-run"_s});
        QCOMPARE(plan.out, u"would import 2\n"_s);
        QCOMPARE(place.rows(), QString());
        const Outcome imported =
            program.run({u"import"_s, place.file(), u"--reason"_s, u"mended"_s, u"--json"_s});
        QVERIFY2(imported.code == 0, qPrintable(imported.err));
        QCOMPARE(imported.json().value(u"imported"_s).toInt(), 2);
        QCOMPARE(place.rows(), u"aopen6772C3BCC39F,bopen00FF"_s);
        const Outcome again = program.run({u"import"_s, place.file()});
        QCOMPARE(again.code, 0);
        QCOMPARE(again.out, u"imported 0\nskipped 2: there already, or gone on since\n"_s);
        auto db = openStore({program.database()}, Access::Reader);
        auto audit = (*db)->dynamicQuery(
            u"SELECT verb || '|' || count || '|' || source || '|' || ifnull(reason, '') || '|' || result "
            "FROM audit ORDER BY no"_s);
        QVERIFY(audit.next());
        QCOMPARE(audit.text(0), u"import|2|command line|mended|ok"_s);
    }

    void readsStandardInputAndNamesBadLines()
    {
        Place place;
        const Program& program = place.program;
        QCOMPARE(program.run({u"archive"_s, u"now"_s}).code, 0);
        QProcess zcat;
        zcat.start(u"zcat"_s, {place.file()});
        zcat.waitForFinished();
        const Outcome imported =
            program.run({u"import"_s, u"-"_s}, "rubbish\n" + zcat.readAllStandardOutput());
        QCOMPARE(imported.code, 1);
        QVERIFY2(imported.err.contains(u"-:1: is no JSON"), qPrintable(imported.err));
        QVERIFY(imported.out.contains(u"imported 2"));
        const Outcome missing = program.run({u"import"_s, u"not-there.gz"_s});
        QCOMPARE(missing.code, 1);
        QVERIFY(missing.err.contains(u"not-there.gz"));
        QCOMPARE(program.run({u"import"_s}).code, 2);
        QCOMPARE(program.run({u"archive"_s, u"nonsense"_s}).code, 2);
    }

    void aProductionProfileIsToldWhy()
    {
        Place place;
        const Program& program = place.program;
        program.write(u"data/profiles/live.toml"_s, "production = true\n");
        const QStringList profile{u"--profile"_s, u"live"_s};
        const auto run = [&](const QStringList& words) { return program.run(words + profile); };
        QCOMPARE(run({u"archive"_s, u"now"_s}).code, 1);
        QCOMPARE(run({u"archive"_s}).code, 0);
        QCOMPARE(run({u"archive"_s, u"now"_s, u"--yes"_s, u"--reason"_s, u"disk"_s}).code, 0);
        QCOMPARE(run({u"import"_s, place.file()}).code, 1);
        QCOMPARE(run({u"import"_s, place.file(), u"--dry-run"_s}).code, 0);
        QCOMPARE(run({u"import"_s, place.file(), u"--yes"_s, u"--reason"_s, u"back"_s}).code, 0);
    }

    void withoutAnArchiveItSaysSo()
    {
        const Program program;
        const Outcome outcome = program.run({u"archive"_s});
        QCOMPARE(outcome.code, 1);
        QVERIFY(outcome.err.contains(u"redrive.archive.dir"));
    }

    void uploadsToABucket()
    {
        BucketServer server(QStringLiteral(S3_SERVER));
        Place place(bucketAt(server.url(), "auto", "ACCESS", "SECRET"));
        const Program& program = place.program;
        QCOMPARE(program.run({u"archive"_s, u"now"_s}).code, 0);
        const Outcome uploaded = program.run({u"archive"_s, u"upload"_s});
        QVERIFY2(uploaded.code == 0, qPrintable(uploaded.err));
        QCOMPARE(uploaded.out, u"uploaded 1 to %1/letters/eu/\n"_s.arg(server.url()));
        QCOMPARE(server.nextRequest().value(u"refusal"_s), QJsonValue());
        QCOMPARE(program.run({u"archive"_s, u"upload"_s}).out, u"everything is there already\n"_s);
        QVERIFY(!program.run({u"archive"_s, u"--json"_s}).json().value(u"uploadedAt"_s).isNull());
    }

    void anIndependentServiceAcceptsIt()
    {
        const QString modules = QStringLiteral(MODULES);
        if (const QString obstacle = installServer(modules); !obstacle.isEmpty())
            QSKIP(qPrintable(u"no independent bucket service: "_s + obstacle));
        const QTemporaryDir folder;
        QProcess server;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"NODE_PATH"_s, modules + u"/node_modules"_s);
        server.setProcessEnvironment(environment);
        server.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        server.start(u"node"_s, {QStringLiteral(S3RVER), folder.path()});
        while (!server.canReadLine())
            QVERIFY(server.waitForReadyRead(kServeMs));
        const QString url = u"http://127.0.0.1:%1"_s.arg(server.readLine().trimmed().toInt());
        Place place(bucketAt(url, "us-east-1", "S3RVER_KEY", "S3RVER_KEY"));
        QCOMPARE(place.program.run({u"archive"_s, u"now"_s}).code, 0);
        const Outcome uploaded = place.program.run({u"archive"_s, u"upload"_s});
        QVERIFY2(uploaded.code == 0, qPrintable(uploaded.err));
        QFile kept(
            folder.filePath(u"letters/eu/"_s + QFileInfo(place.file()).fileName() + u"._S3rver_object"_s));
        QFile file(place.file());
        QVERIFY2(kept.open(QIODevice::ReadOnly), qPrintable(kept.fileName()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), file.readAll());

        Place wrong(bucketAt(url, "us-east-1", "S3RVER_KEY", "SECRET"));
        QCOMPARE(wrong.program.run({u"archive"_s, u"now"_s}).code, 0);
        const Outcome refused = wrong.program.run({u"archive"_s, u"upload"_s});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains(u"SignatureDoesNotMatch"), qPrintable(refused.err));
        server.kill();
        server.waitForFinished();
    }
};

QTEST_GUILESS_MAIN(ArchiveCommandTest)
#include "archive_command_test.moc"
