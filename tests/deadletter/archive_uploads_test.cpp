#include "core/deadletter/archive_uploads.h"

#include "core/deadletter/archive_state.h"
#include "tests/deadletter/archive_rig.h"
#include "tests/support/bucket_server.h"

#include <QCryptographicHash>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

const QString kScript = QStringLiteral(S3_SERVER);

// An archive with a bucket.
struct Rig
{
    explicit Rig(const BucketServer& server)
    {
        settings.archive = rig.settings;
        settings.archive.s3 =
            ArchiveBucket{server.url(), u"letters"_s, u"auto"_s, u"eu/prod/"_s, u"ACCESS"_s, u"SECRET"_s};
        settings.secrets = {{u"ACCESS"_s, "AKIDEXAMPLE"}, {u"SECRET"_s, "secret/Key+1"}};
    }

    ArchiveRig rig;
    Settings settings;

    void archive(const QString& id)
    {
        rig.make.letter(id, u"message"_s, u"open"_s, 20, u"randomblob(1000)"_s, u"bytes"_s);
        QCOMPARE(rig.archived(1), QString());
    }
    // As of an engine that has just started.
    Result<int> upload(bool all = false, bool loopback = true)
    {
        REDRIVE_ASSIGN(guard, TargetGuard::make({}, loopback));
        REDRIVE_ASSIGN(uploads, ArchiveUploads::make(settings, guard, rig.turn(), [] { return true; }));
        return uploads.run(rig.store.db(), rig.clock.wallMs(), all);
    }
    // Copied files, or what went wrong.
    QString uploaded(bool all = false)
    {
        const auto copied = upload(all);
        return copied ? QString::number(*copied) : copied.error().text();
    }
};

} // namespace

class ArchiveUploadsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aFileIsPutSignedAndNoted()
    {
        BucketServer server(kScript);
        Rig rig(server);
        QCOMPARE(rig.uploaded(), u"0"_s); // there is nothing yet
        rig.archive(u"a"_s);
        QCOMPARE(rig.uploaded(), u"1"_s);
        const QJsonObject request = server.nextRequest();
        QCOMPARE(request.value(u"refusal"_s), QJsonValue());
        QCOMPARE(request.value(u"path"_s).toString(), u"/letters/eu/prod/"_s + rig.rig.today());
        QCOMPARE(request.value(u"type"_s).toString(), u"application/gzip"_s);
        QFile file(rig.rig.pathOf(rig.rig.today()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray content = file.readAll();
        QCOMPARE(request.value(u"sha256"_s).toString().toLatin1(),
                 QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex());

        const auto state = readArchiveState(rig.rig.store.db(), rig.settings.archive);
        QVERIFY(state && state->files.size() == 1);
        QCOMPARE(state->bucket, server.url() + u"/letters/eu/prod/"_s);
        const ArchiveRecord record = state->files.first().record;
        QCOMPARE(record.letters, 1);
        QCOMPARE(record.uploadedBytes, content.size());
        QCOMPARE(record.uploadedAtMs, rig.rig.clock.wallMs());
        QCOMPARE(record.etag.toLatin1(), QCryptographicHash::hash(content, QCryptographicHash::Md5).toHex());
        QCOMPARE(rig.uploaded(true), u"0"_s);
        QVERIFY(!server.wasAsked());
    }

    void todaysFileIsCopiedEachHourAndADayThatIsOverAtOnce()
    {
        BucketServer server(kScript);
        Rig rig(server);
        rig.archive(u"a"_s);
        QCOMPARE(rig.uploaded(), u"1"_s);
        rig.archive(u"b"_s);
        QCOMPARE(rig.uploaded(), u"0"_s);
        QCOMPARE(rig.uploaded(true), u"1"_s);
        rig.archive(u"c"_s);
        rig.rig.clock.advance(ArchiveUploads::kTodayEveryMs - 1);
        QCOMPARE(rig.uploaded(), u"0"_s);
        rig.rig.clock.advance(1);
        QCOMPARE(rig.uploaded(), u"1"_s);
        rig.archive(u"d"_s);
        rig.rig.clock.advance(kDayMs);
        rig.archive(u"e"_s);
        QCOMPARE(rig.uploaded(), u"2"_s);
        QCOMPARE(rig.uploaded(), u"0"_s);
    }

    void aFailureIsNotedAndTriedAgain()
    {
        BucketServer server(kScript, 1);
        Rig rig(server);
        rig.archive(u"a"_s);
        const auto failed = rig.upload();
        QVERIFY(!failed);
        QCOMPARE(failed.error().kind, ErrorKind::ConnectionLost);
        QCOMPARE(failed.error().text(),
                 u"the bucket letters answered HTTP 503 SlowDown: reduce your request rate"_s);
        QCOMPARE(rig.rig.store.text(u"SELECT upload_error FROM archive_files"_s), failed.error().text());
        QCOMPARE(rig.uploaded(), u"1"_s);
        QCOMPARE(rig.rig.store.text(u"SELECT upload_error FROM archive_files"_s), QString());
    }

    void aLargeFileIsSentPieceByPiece()
    {
        BucketServer server(kScript);
        Rig rig(server);
        for (int i = 0; i < 40; ++i)
            rig.rig.make.letter(u"m%1"_s.arg(i), u"message"_s, u"open"_s, 20, u"randomblob(120000)"_s,
                                u"bytes"_s);
        QCOMPARE(rig.rig.archived(40), QString());
        QCOMPARE(rig.uploaded(), u"1"_s);
        const QJsonObject request = server.nextRequest();
        QCOMPARE(request.value(u"refusal"_s), QJsonValue());
        QVERIFY(request.value(u"bytes"_s).toInt() > 4'500'000);
    }

    void noErrorSaysAKey()
    {
        BucketServer server(kScript, 0, u"another"_s);
        Rig rig(server);
        rig.archive(u"a"_s);
        const auto failed = rig.upload();
        QVERIFY(!failed);
        QCOMPARE(failed.error().kind, ErrorKind::Refused);
        QCOMPARE(
            failed.error().text(),
            u"the bucket letters answered HTTP 403 SignatureDoesNotMatch: the secret of *** is another one"_s);
        rig.settings.secrets.remove(u"SECRET"_s);
        QCOMPARE(rig.uploaded(), u"there is no secret 'SECRET'"_s);
    }

    void theGuardJudgesTheAddress()
    {
        BucketServer server(kScript);
        Rig rig(server);
        rig.archive(u"a"_s);
        const auto failed = rig.upload(false, false);
        QVERIFY(!failed);
        QCOMPARE(failed.error().kind, ErrorKind::Refused);
        QVERIFY2(failed.error().text().contains(u"allow_private_targets"), qPrintable(failed.error().text()));
        QVERIFY(!server.wasAsked());
    }
};

QTEST_GUILESS_MAIN(ArchiveUploadsTest)
#include "archive_uploads_test.moc"
