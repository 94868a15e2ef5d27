// Archiving under kill -9, with the program as a process of its own: each letter is in the archive once and
// none is lost, and its files can be read at any time.
#include "core/deadletter/archive_folder.h"
#include "tests/app/program.h"

#include "core/db/connection.h"
#include "core/db/migrator.h"

#include <QElapsedTimer>
#include <QHash>
#include <QRandomGenerator>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kKills = 12;
constexpr int kLettersEach = 800;
constexpr qint64 kShortestMs = 20;

QByteArray zcat(const QString& path)
{
    QProcess process;
    process.start(u"zcat"_s, {path});
    process.waitForFinished();
    return process.exitCode() == 0 ? process.readAllStandardOutput()
                                   : "zcat: " + process.readAllStandardError();
}

class Place
{
public:
    Place()
    {
        program.write(u"wrangler.toml"_s, "[redrive.archive]\ndir = \"archive\"\n");
        program.write(u"data/.keep"_s, {});
    }

    Program program;
    ArchiveFolder folder{program.path(u"archive"_s)};

    void addLetters(int from, int count)
    {
        auto db = openStore({program.database()}, Access::Writer, 1);
        if (!db)
            qFatal("%s", qPrintable(db.error().text()));
        auto made = (*db)->dynamicQuery(
            u"WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?) "
            "INSERT INTO dead_letters (kind, subject_id, state, source_queue, attempts, reason, "
            "content_type, "
            "body, sent_at_ms, dead_at_ms, changed_at_ms) SELECT 'message', 'm' || i, "
            "CASE i % 3 WHEN 0 THEN 'discarded' ELSE 'open' END, 'jobs', 1, 'failed', 'bytes', "
            "randomblob(2000), 5, i, i FROM n"_s);
        made.bind(from).bind(from + count);
        if (const auto done = made.run(); !done)
            qFatal("%s", qPrintable(done.error().text()));
    }
    // How long it ran; killed after so long, where that is not negative.
    qint64 archive(int killAfterMs)
    {
        QProcess process;
        program.prepare(process, {u"archive"_s, u"now"_s, u"--json"_s});
        QElapsedTimer timer;
        timer.start();
        process.start();
        if (killAfterMs >= 0 && !process.waitForFinished(killAfterMs))
            process.kill();
        process.waitForFinished();
        error = QString::fromUtf8(process.readAllStandardError());
        return timer.elapsed();
    }
    QHash<QString, int> archivedIds() const
    {
        QHash<QString, int> ids;
        for (const ArchiveFile& file : folder.files())
            for (const QByteArray& line : zcat(folder.pathOf(file.name)).split('\n'))
                if (!line.isEmpty())
                    ++ids[QJsonDocument::fromJson(line).object().value(u"id"_s).toString()];
        return ids;
    }
    QStringList idsInStore() const
    {
        auto db = openStore({program.database()}, Access::Reader);
        QStringList ids;
        auto query = (*db)->dynamicQuery(u"SELECT subject_id FROM dead_letters"_s);
        while (query.next())
            ids.append(query.text(0));
        return ids;
    }

    QString error;
};

} // namespace

class ArchiveKillTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void eachLetterIsArchivedOnce()
    {
        const quint32 seed = qEnvironmentVariableIsSet("REDRIVE_SEED")
                                 ? qEnvironmentVariable("REDRIVE_SEED").toUInt()
                                 : QRandomGenerator::global()->generate();
        qInfo("REDRIVE_SEED=%u", seed);
        QRandomGenerator random(seed);
        Place place;
        int letters = 0;
        const auto addMore = [&] {
            place.addLetters(letters, kLettersEach);
            letters += kLettersEach;
        };
        addMore();
        const qint64 wholeMs = place.archive(-1);
        QVERIFY2(place.error.isEmpty(), qPrintable(place.error));
        QCOMPARE(place.archivedIds().size(), kLettersEach);
        QCOMPARE(place.idsInStore(), QStringList());
        for (int i = 0; i < kKills; ++i) {
            addMore();
            place.archive(int(kShortestMs + random.bounded(wholeMs)));
            const QHash<QString, int> archived = place.archivedIds();
            QVERIFY2(!archived.contains(QString()), "a file cannot be read");
            const QStringList left = place.idsInStore();
            const QSet<QString> somewhere = QSet<QString>(left.begin(), left.end()) +
                                            QSet<QString>(archived.keyBegin(), archived.keyEnd());
            QCOMPARE(somewhere.size(), letters);
        }
        place.archive(-1);
        QVERIFY2(place.error.isEmpty(), qPrintable(place.error));
        QCOMPARE(place.idsInStore(), QStringList());
        const QHash<QString, int> archived = place.archivedIds();
        QCOMPARE(archived.size(), letters);
        for (auto id = archived.cbegin(); id != archived.cend(); ++id)
            QVERIFY2(*id == 1, qPrintable(u"%1 is there %2 times"_s.arg(id.key()).arg(*id)));
    }
};

QTEST_GUILESS_MAIN(ArchiveKillTest)
#include "archive_kill_test.moc"
