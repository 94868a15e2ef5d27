// Retention of telemetry beside its ingest, over HTTP: a long pass holds up no post. Shown by what is still
// to be deleted when posts are answered and their rows are there, not by how long anything took.
#include "core/db/connection.h"
#include "core/engine/engine.h"
#include "tests/support/plain_client.h"

#include <QDateTime>
#include <QTemporaryDir>
#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kOld = 150'000; // 300 slices
constexpr int kPosts = 20;    // to each of the routes
constexpr int kPassBeginsMs = 20'000;

qint64 number(Connection& db, const QString& sql)
{
    auto query = db.dynamicQuery(sql);
    return query.next() ? query.int64(0) : -1;
}

} // namespace

class PruningTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPassHoldsUpNoPost()
    {
        const QTemporaryDir folder;
        EngineOptions options;
        ConsumerSettings writer;
        writer.queue = u"telemetry-ingest"_s;
        writer.maxBatchSize = 100;
        writer.maxBatchTimeoutMs = 20;
        options.settings.consumers = {writer};
        options.settings.telemetryQueue = writer.queue;
        options.settings.ingestTokenSecret = u"AUTH_SECRET"_s;
        options.settings.secrets.insert(u"AUTH_SECRET"_s, "s3cret");
        options.settings.retention.telemetryMs = 3'600'000;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.database.path = folder.filePath(u"redrive.db"_s);
        const auto engine = Engine::start(options);
        QVERIFY2(engine, engine ? "" : qPrintable(engine.error().text()));
        const auto db = Connection::open(options.database, Access::Writer);
        QVERIFY(db);
        QVERIFY((*db)->execute(
            u"WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %1) "
            "INSERT INTO system_telemetry SELECT 'old-' || i, 'metric', 'acme', '{}', %2 + i FROM n"_s
                .arg(kOld)
                .arg(QDateTime::currentMSecsSinceEpoch() - 86'400'000)));
        const auto left = [&] {
            return number(**db, u"SELECT count(*) FROM system_telemetry WHERE id LIKE 'old-%'"_s);
        };
        QTRY_VERIFY_WITH_TIMEOUT(left() < kOld, kPassBeginsMs);

        const PlainClient client((*engine)->health().listenUrl);
        const PlainClient::Headers headers{{"Authorization", "Bearer s3cret"}};
        qint64 before = left();
        for (int post = 0; post < kPosts; ++post) {
            QCOMPARE(client.post("/ingest", "{}", headers).status, 202);
            QCOMPARE(client.post("/ingest/batch", "{}\n{}\n", headers).status, 202);
            QCOMPARE(client.post("/ingest/sync", "{}", headers).status, 201);
        }
        const QString written = u"SELECT count(*) FROM system_telemetry WHERE id NOT LIKE 'old-%'"_s;
        QTRY_COMPARE(number(**db, written), 4 * kPosts);
        const qint64 after = left();
        QVERIFY2(after > 0, "the pass was over before the events were written");
        QVERIFY2(after < before, "the pass did not go on meanwhile");
        QTRY_COMPARE_WITH_TIMEOUT(left(), 0, 60'000);
        QCOMPARE(number(**db, written), 4 * kPosts);
        QCOMPARE(number(**db, u"SELECT last_rows FROM telemetry_pruned WHERE reason = 'age'"_s), kOld);
    }
};

QTEST_GUILESS_MAIN(PruningTest)
#include "pruning_test.moc"
