// Telemetry as lists, exports and the chart read it: in order of time, by the indexes of tenant and source,
// and how many rows of it each minute has.
#include "core/db/migrator.h"
#include "core/engine/list_export.h"
#include "core/store/list_cursors.h"
#include "core/store/telemetry_read_store.h"
#include "core/store/telemetry_source.h"
#include "core/store/telemetry_tally.h"
#include "tests/support/test_store.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'900'000'000'000;
constexpr qint64 kMinute = kNow - kNow % kMsOfMinute; // the one that is under way
constexpr int kRows = 30'000;

std::vector<qint64> keysOf(Connection& db, const QString& filter, bool ascending = false)
{
    auto cursor = ListCursor::open({ListKind::Telemetry, filter, SortField::Newest, ascending, 0}, kNow);
    std::vector<qint64> keys;
    for (bool last = !cursor; !last;) {
        auto slice = (*cursor)->next(db);
        if (!slice)
            qFatal("%s", qUtf8Printable(slice.error().text()));
        keys.insert(keys.end(), slice->keys.begin(), slice->keys.end());
        last = slice->last;
    }
    return keys;
}

QString planOf(Connection& db, const QString& statement)
{
    QStringList lines;
    auto query = db.dynamicQuery("EXPLAIN QUERY PLAN " + statement);
    for (qsizetype i = statement.count('?'); i > 0; --i)
        query.bind(0);
    while (query.next())
        lines.append(query.text(3));
    if (!query.status())
        qFatal("%s in %s", qUtf8Printable(query.status().error().text()), qUtf8Printable(statement));
    return lines.join(" | ");
}

TelemetryMinutes counted(Connection& db, qint64 fromMs, qint64 toMs,
                         qint64 mostRows = TelemetryMinutes::kMostRows)
{
    TelemetryTally tally(fromMs, toMs, mostRows);
    for (;;) {
        const auto done = tally.step(db);
        if (!done)
            qFatal("%s", qUtf8Printable(done.error().text()));
        if (*done)
            return tally.minutes();
    }
}

} // namespace

class TelemetryListTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_store.emplace(kNow);
        // Five rows a second, some of the same millisecond; ids that say nothing about the time.
        m_store->execute(
            QString("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %1) "
                    "INSERT INTO system_telemetry (id, source, tenant_id, payload, created_at) "
                    "SELECT printf('%08x', (i * 7919) % 100003), CASE WHEN i % 3 THEN 'metric' ELSE "
                    "'audit' END, 'tenant' || (i % 7), '{\"user\":{\"id\":' || i || '}}', "
                    "%2 - i / 2 * 400 FROM n")
                .arg(kRows - 1)
                .arg(kNow));
    }

    void isInOrderOfTime_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("where");
        QTest::newRow("all") << ""
                             << "1 = 1";
        QTest::newRow("tenant") << "tenant:tenant3"
                                << "tenant_id = 'tenant3'";
        QTest::newRow("tenant and time")
            << "tenant:tenant3 age:<20m"
            << QString("tenant_id = 'tenant3' AND created_at > %1").arg(kNow - 1'200'000);
        QTest::newRow("source and time")
            << "source:audit age:>20m"
            << QString("source = 'audit' AND created_at < %1").arg(kNow - 1'200'000);
        QTest::newRow("time")
            << "since:2030-03-17T17:40Z until:2030-03-17T17:42Z"
            << QString("created_at >= %1 AND created_at < %2").arg(kMinute - 360'000).arg(kMinute - 240'000);
        QTest::newRow("both") << "source:audit tenant:tenant3"
                              << "source = 'audit' AND tenant_id = 'tenant3'";
        QTest::newRow("some tenants") << "tenant:tenant3 OR tenant:tenant4"
                                      << "tenant_id IN ('tenant3', 'tenant4')";
        QTest::newRow("payload") << "payload.user.id:17"
                                 << "payload = '{\"user\":{\"id\":17}}'";
        QTest::newRow("nothing") << "tenant:nobody"
                                 << "0";
    }

    void isInOrderOfTime()
    {
        QFETCH(QString, filter);
        QFETCH(QString, where);
        for (const bool up : {true, false}) {
            const auto keys = keysOf(m_store->db(), filter, up);
            QCOMPARE(qint64(keys.size()),
                     m_store->number("SELECT count(*) FROM system_telemetry WHERE " + where));
            QSet<qint64> seen;
            qint64 before = up ? 0 : kNow + 1;
            auto query =
                m_store->db().dynamicQuery("SELECT rowid, created_at FROM system_telemetry WHERE " + where);
            QHash<qint64, qint64> at;
            while (query.next())
                at.insert(query.int64(0), query.int64(1));
            for (const qint64 key : keys) {
                QVERIFY(at.contains(key) && !seen.contains(key));
                seen.insert(key);
                QVERIFY(up ? at[key] >= before : at[key] <= before);
                before = at[key];
            }
        }
    }

    void usesTheIndexes_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("indexes");
        const QString tenant = "system_telemetry_tenant";
        const QString source = "system_telemetry_source";
        QTest::newRow("all") << "" << QStringList{source, source};
        QTest::newRow("words") << "login -x" << QStringList{source, source};
        QTest::newRow("time") << "age:<1h" << QStringList{source, source};
        QTest::newRow("tenant") << "tenant:a" << QStringList{tenant};
        QTest::newRow("tenant and time")
            << "tenant:a since:2030-01-01 until:2030-02-01" << QStringList{tenant};
        QTest::newRow("source and time") << "source:audit age:<1h age:>5m" << QStringList{source};
        QTest::newRow("tenant and source") << "tenant:a source:audit" << QStringList{tenant};
        QTest::newRow("some tenants") << "tenant:a OR tenant:b" << QStringList{source, source};
        QTest::newRow("place") << "source:audit payload.user.id:42" << QStringList{source};
        QTest::newRow("one") << "id:x" << QStringList{"sqlite_autoindex_system_telemetry_1"};
    }

    void usesTheIndexes()
    {
        QFETCH(QString, filter);
        QFETCH(QStringList, indexes);
        const auto parsed = parseFilter(filter);
        QVERIFY(parsed);
        const auto sources = telemetrySources(m_store->db(), parsed->root, kNow);
        QVERIFY(sources);
        QCOMPARE(sources->size(), std::size_t(indexes.size()));
        for (std::size_t i = 0; i < sources->size(); ++i) {
            for (const bool up : {true, false}) {
                SourceScan scan(sources->at(i), filterSql(parsed->root, FilterTable::Telemetry, kNow), up);
                for (int step = 0; step < 2; ++step) {
                    for (const QString& statement : {scan.boundaryStatement(), scan.matchStatement(true)}) {
                        const QString plan = planOf(m_store->db(), statement);
                        QVERIFY2(plan.contains(indexes[qsizetype(i)]), qPrintable(plan));
                        QVERIFY2(statement.startsWith("WITH") || !plan.contains("TEMP B-TREE"),
                                 qPrintable(plan));
                        QVERIFY2(!plan.contains("SCAN t"), qPrintable(plan));
                    }
                    QVERIFY(scan.step(m_store->db(), 10, [](qint64, const Query&) {}));
                }
            }
        }
    }

    void timesEndTheSearch()
    {
        auto cursor =
            ListCursor::open({ListKind::Telemetry, "age:<1m words", SortField::Newest, false, 0}, kNow);
        QVERIFY(cursor);
        ListSlice slice;
        while (!slice.last)
            slice = *(*cursor)->next(m_store->db());
        QVERIFY2(slice.searched <= 400, qPrintable(QString::number(slice.searched)));
    }

    void countsMinutes()
    {
        const auto told = counted(m_store->db(), kNow - 3'600'000, kNow + 1);
        QVERIFY(!told.cut);
        QCOMPARE(told.fromMs, kMinute - 3'600'000);
        QCOMPARE(told.toMs, kMinute + kMsOfMinute);
        QCOMPARE(
            told.rows,
            m_store->number(
                QString("SELECT count(*) FROM system_telemetry WHERE created_at >= %1").arg(told.fromMs)));
        QCOMPARE(told.sources, (QStringList{"audit", "metric"}));
        QCOMPARE(told.tenants.size(), 7);
        qint64 before = 0;
        for (const TelemetryMinute& minute : told.minutes) {
            QVERIFY(minute.atMs >= before);
            before = minute.atMs;
            QCOMPARE(minute.rows,
                     m_store->number(
                         QString("SELECT count(*) FROM system_telemetry WHERE tenant_id = '%1' AND source "
                                 "= '%2' AND created_at BETWEEN %3 AND %4")
                             .arg(minute.tenantId, minute.source)
                             .arg(minute.atMs)
                             .arg(minute.atMs + kMsOfMinute - 1)));
        }
    }

    void countsTheNewestWholeMinutesOnly()
    {
        const auto told = counted(m_store->db(), kNow - 3'600'000, kNow + 1, 9'000);
        QVERIFY(told.cut);
        QVERIFY(told.fromMs > kMinute - 3'600'000);
        QCOMPARE(
            told.rows,
            m_store->number(
                QString("SELECT count(*) FROM system_telemetry WHERE created_at >= %1").arg(told.fromMs)));
        QVERIFY(told.rows <= 9'000 + 2 * 4'000);
        const auto crowded = counted(m_store->db(), kMinute - kMsOfMinute, kMinute, 10);
        QVERIFY(!crowded.minutes.isEmpty()); // one that is not whole is better than none
    }

    void manyTenantsAreOthers()
    {
        test::TestStore store(kNow);
        store.execute(
            QString("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199) "
                    "INSERT INTO system_telemetry SELECT i, 'audit', 't' || (i % 120), '{}', %1 FROM n")
                .arg(kNow));
        const auto told = counted(store.db(), kNow - 60'000, kNow + 1);
        QCOMPARE(told.tenants.size(), qsizetype(TelemetryMinutes::kMostTenants));
        QCOMPARE(told.rows, 200);
        qint64 others = 0;
        for (const TelemetryMinute& minute : told.minutes)
            others += minute.tenantId.isNull() ? minute.rows : 0;
        QCOMPARE(others, 200 - 50 * 2);
    }

    void aTableOfTheUsersIsReadToo()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("d1.sqlite")};
        {
            auto own = Connection::open(target, Access::Writer);
            QVERIFY(own);
            QVERIFY((*own)->execute("CREATE TABLE system_telemetry (id TEXT PRIMARY KEY, source TEXT, "
                                    "tenant_id TEXT, payload TEXT, created_at INTEGER)"));
            QVERIFY(
                (*own)->execute("INSERT INTO system_telemetry VALUES ('b', 'trace', NULL, 'no JSON', 5000), "
                                "('a', NULL, 'x', NULL, 7000), ('c', '', 'x', x'ff00', 6000), "
                                "('d', 'audit', 'x', '{}', 8000), ('e', 'audit', 'x', '{}', NULL)"));
        }
        auto store = openStore(target, Access::Writer, kNow);
        QVERIFY2(store, qPrintable(store ? QString() : store.error().text()));
        const auto rows = telemetry_read_store::rows(**store, keysOf(**store, {}));
        QVERIFY(rows);
        QStringList ids;
        for (const TelemetryRow& row : *rows)
            ids.append(row.id);
        QCOMPARE(ids, (QStringList{"d", "a", "c", "b"})); // and the one without a time in none
        QCOMPARE(rows->last().payload, QString("no JSON"));
        QVERIFY(keysOf(**store, "payload.user.id:1 OR source:trace").size() == 1);
        QCOMPARE(counted(**store, 0, 60'000).rows, 4);
    }

    void exportsWholePayloads()
    {
        test::TestStore store(kNow);
        const QString payload = "{\"note\":\"" + QString(3'000, 'x') + "\",\"n\":12345678901234567890}";
        store.execute("INSERT INTO system_telemetry VALUES ('e1', 'audit', '=cmd()', '" + payload +
                      "', 1000)");
        for (const ExportForm form : {ExportForm::JsonLines, ExportForm::Csv}) {
            const QString path = store.folder() + "/out";
            const std::atomic<bool> stop = false;
            const auto done =
                exportList(store.db(), {{ListKind::Telemetry, {}, SortField::Newest, false, 0}, form, path},
                           {}, kNow, stop);
            QVERIFY(done);
            QCOMPARE(done->rows, 1);
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            if (form == ExportForm::Csv) {
                QVERIFY(text.startsWith("id,createdAt,tenantId,source,bytes,payload\r\n"));
                QVERIFY(text.contains(",'=cmd(),"));
                QVERIFY(text.contains(QString(payload).replace("\"", "\"\"").toUtf8()));
            } else {
                const QJsonObject line = QJsonDocument::fromJson(text.trimmed()).object();
                QCOMPARE(line["payload"].toString(), payload);
                QCOMPARE(line["tenantId"].toString(), QString("=cmd()"));
                QCOMPARE(line["createdAt"].toInt(), 1000);
            }
        }
    }

    void readsPayloadsInPieces()
    {
        const qint64 key = keysOf(m_store->db(), "payload.user.id:17").at(0);
        const auto piece = telemetry_read_store::payload(m_store->db(), key, 2, 4);
        QVERIFY(piece && *piece);
        QCOMPARE((*piece)->bytes, QByteArray("user"));
        QCOMPARE((*piece)->totalBytes, 18);
        QVERIFY(!*telemetry_read_store::payload(m_store->db(), 1'000'000, 0, 4));
        QCOMPARE(*telemetry_read_store::oldestMs(m_store->db()), kNow - (kRows - 1) / 2 * 400);
    }

private:
    std::optional<test::TestStore> m_store;
};

QTEST_GUILESS_MAIN(TelemetryListTest)
#include "telemetry_list_test.moc"
