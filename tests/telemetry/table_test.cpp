#include "core/db/migrator.h"
#include "core/db/telemetry_table.h"
#include "core/db/user_migrations.h"
#include "core/store/telemetry_store.h"
#include "core/telemetry/telemetry_event.h"
#include "tests/support/test_store.h"

#include <QDir>
#include <QTest>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'900'000'000'000;
constexpr char kUsers[] =
    "CREATE TABLE system_telemetry (id TEXT PRIMARY KEY, source TEXT, tenant_id TEXT, payload "
    "TEXT, created_at INTEGER)";

NewTelemetry rowOf(const QByteArray& body, const QString& id = "e1", qint64 atMs = kNow)
{
    auto row = telemetryRow(id, body, atMs);
    if (!row)
        qFatal("%s", qPrintable(row.error().text()));
    return *row;
}

Result<bool> insert(Connection& db, const NewTelemetry& row)
{
    Cycle cycle(db);
    cycle.nowMs = kNow;
    return telemetry_store::insert(cycle, row);
}

// What the database says to it; empty: it took it.
QString refusal(Connection& db, const NewTelemetry& row)
{
    const auto done = insert(db, row);
    return done ? QString() : done.error().detail;
}

qint64 number(Connection& db, const QString& statement)
{
    auto query = db.dynamicQuery(statement);
    return query.next() ? query.int64(0) : -1;
}

// A database as a user's own program left it, opened as the store.
class UsersStore final
{
public:
    explicit UsersStore(const QStringList& statements)
    {
        auto raw = Connection::open(target(), Access::Writer);
        if (!raw)
            qFatal("cannot open");
        for (const QString& statement : statements)
            if (auto done = (*raw)->execute(statement); !done)
                qFatal("%s", qPrintable(done.error().text()));
        raw->reset();
        m_opened = openStore(target(), Access::Writer, kNow);
    }
    DatabaseTarget target() const { return {m_folder.filePath("d1.sqlite")}; }
    const Result<std::unique_ptr<Connection>>& opened() const { return m_opened; }
    Connection& db()
    {
        if (!m_opened)
            qFatal("%s", qPrintable(m_opened.error().text()));
        return **m_opened;
    }

private:
    QTemporaryDir m_folder;
    Result<std::unique_ptr<Connection>> m_opened = fail(ErrorKind::Internal, {});
};

} // namespace

class TelemetryTableTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void copiesSourceAndTenant_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("tenant");
        QTest::newRow("both") << QByteArray(R"({"source":"metric","tenantId":"t1"})") << "metric"
                              << "t1";
        QTest::newRow("none") << QByteArray("{}") << "audit"
                              << "system";
        QTest::newRow("null") << QByteArray(R"({"source":null,"tenantId":null})") << "audit"
                              << "system";
        QTest::newRow("empty") << QByteArray(R"({"source":"","tenantId":""})") << "audit"
                               << "system";
        QTest::newRow("deeper ones are others")
            << QByteArray(R"({"x":{"source":"metric","tenantId":"t1"}})") << "audit"
            << "system";
        QTest::newRow("an array") << QByteArray(R"([{"source":"metric"}])") << "audit"
                                  << "system";
        QTest::newRow("a number") << QByteArray("5") << "audit"
                                  << "system";
        QTest::newRow("escapes") << QByteArray(R"({"sour\u0063e":"m\u0065tric","tenantId":"\u00e4\n"})")
                                 << "metric" << QString::fromUtf8("ä\n");
    }

    void copiesSourceAndTenant()
    {
        QFETCH(QByteArray, body);
        QFETCH(QString, source);
        QFETCH(QString, tenant);
        test::TestStore store;
        QCOMPARE(refusal(store.db(), rowOf(body)), QString());
        QCOMPARE(store.text("SELECT source FROM system_telemetry"), source);
        QCOMPARE(store.text("SELECT tenant_id FROM system_telemetry"), tenant);
        QCOMPARE(store.number("SELECT created_at FROM system_telemetry"), kNow);
    }

    void payloadIsKeptToTheByte()
    {
        test::TestStore store;
        const QByteArray body =
            " {\"n\": 12345678901234567890123, \"b\":1.0, \"a\" : \"\\u00e4\\/\xc3\xa4\"}\n";
        QCOMPARE(refusal(store.db(), rowOf(body)), QString());
        QCOMPARE(store.text("SELECT hex(CAST(payload AS BLOB)) FROM system_telemetry"),
                 QString::fromLatin1(body.toHex().toUpper()));
        QCOMPARE(store.text("SELECT typeof(payload) FROM system_telemetry"), QString("text"));
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("words");
        const QString source = "CHECK constraint failed: source IN ('audit', 'metric')";
        const QString notText = "cannot store BLOB value in TEXT column system_telemetry.";
        QTest::newRow("another source") << QByteArray(R"({"source":"log"})") << source;
        QTest::newRow("source in capitals") << QByteArray(R"({"source":"Audit"})") << source;
        QTest::newRow("source is a number") << QByteArray(R"({"source":5})") << notText + "source";
        QTest::newRow("source is out of range") << QByteArray(R"({"source":1e999})") << notText + "source";
        QTest::newRow("source is true") << QByteArray(R"({"source":true})") << notText + "source";
        QTest::newRow("source is an object") << QByteArray(R"({"source":{"a":1}})") << notText + "source";
        QTest::newRow("tenant is a number") << QByteArray(R"({"tenantId":42})") << notText + "tenant_id";
        QTest::newRow("tenant is an array") << QByteArray(R"({"tenantId":["a"]})") << notText + "tenant_id";
        QTest::newRow("tenant is too long") << QByteArray("{\"tenantId\":\"" + QByteArray(513, 'x') + "\"}")
                                            << "CHECK constraint failed: length(tenant_id) BETWEEN 1 AND 512";
        QTest::newRow("10 MB") << QByteArray("\"" + QByteArray(10'000'000, 'x') + "\"")
                               << "CHECK constraint failed: length(payload) <= 128000";
    }

    void refuses()
    {
        QFETCH(QByteArray, body);
        QFETCH(QString, words);
        test::TestStore ours;
        QCOMPARE(refusal(ours.db(), rowOf(body)), words);
        QCOMPARE(ours.number("SELECT count(*) FROM system_telemetry"), 0);
        UsersStore users({kUsers});
        QCOMPARE(refusal(users.db(), rowOf(body)), words);
        QCOMPARE(number(users.db(), "SELECT count(*) FROM system_telemetry"), 0);
    }

    void whatIsNoJsonIsNoRow()
    {
        for (const QByteArray& body : {QByteArray("{\"a\":"), QByteArray("\0", 1), QByteArray(),
                                       QByteArray("{\"a\":\"\\u0000\"}"), QByteArray("\xff")}) {
            const auto row = telemetryRow("e", body, kNow);
            QVERIFY(!row);
            QCOMPARE(row.error().kind, ErrorKind::InvalidInput);
            QVERIFY(!row.error().detail.isEmpty());
        }
        test::TestStore store;
        NewTelemetry row = rowOf("{}");
        row.payload = "{";
        QCOMPARE(refusal(store.db(), row), QString("CHECK constraint failed: json_valid(payload)"));
    }

    void anIdThatIsThereIsSuccess()
    {
        test::TestStore store;
        QVERIFY(insert(store.db(), rowOf("{\"v\":1}")).value());
        QVERIFY(!insert(store.db(), rowOf("{\"v\":2}")).value());
        QCOMPARE(store.text("SELECT payload FROM system_telemetry"), QString("{\"v\":1}"));
    }

    void adoptsTheUsersTable_data()
    {
        QTest::addColumn<QStringList>("statements");
        const QString row = "INSERT INTO system_telemetry VALUES ('old', 'log', 'x', 'not JSON', 5)";
        QTest::newRow("plain") << QStringList{kUsers, row};
        QTest::newRow("strict") << QStringList{QString(kUsers) + " STRICT", row};
        QTest::newRow("other case") << QStringList{
            QString(kUsers).replace("system_telemetry", "\"System_Telemetry\""), row};
        QTest::newRow("without the key") << QStringList{QString(kUsers).remove("PRIMARY KEY"), row};
        QTest::newRow("with its indexes")
            << QStringList{kUsers, "CREATE INDEX a ON system_telemetry (tenant_id, created_at DESC)",
                           "CREATE INDEX b ON system_telemetry (source, created_at DESC)", row};
        QTest::newRow("with a column and a trigger of its own") << QStringList{
            kUsers, row, "ALTER TABLE system_telemetry ADD COLUMN region TEXT DEFAULT 'eu'",
            "CREATE TRIGGER mine AFTER INSERT ON system_telemetry BEGIN UPDATE system_telemetry SET "
            "region = 'here' WHERE id = NEW.id; END"};
    }

    void adoptsTheUsersTable()
    {
        QFETCH(QStringList, statements);
        UsersStore store(statements);
        QVERIFY2(store.opened(), qPrintable(store.opened() ? QString() : store.opened().error().text()));
        const QString old = "SELECT count(*) FROM system_telemetry WHERE id = 'old' AND source = 'log' AND "
                            "tenant_id = 'x' AND payload = 'not JSON' AND created_at = 5";
        QCOMPARE(number(store.db(), old), 1);
        QVERIFY(insert(store.db(), rowOf("{}")).value());
        QVERIFY(!insert(store.db(), rowOf("{}")).value());
        QVERIFY(!refusal(store.db(), rowOf("{\"source\":1}", "e2")).isEmpty());
        QCOMPARE(number(store.db(), "SELECT row_count FROM telemetry_size"), 2);
        QCOMPARE(number(store.db(), "SELECT bytes FROM telemetry_size"), 10);
        QCOMPARE(number(store.db(), "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND sql LIKE "
                                    "'%created_at DESC%' AND lower(tbl_name) = 'system_telemetry'"),
                 2);
        const qint64 schema = number(store.db(), "PRAGMA schema_version");
        QVERIFY(ensureTelemetryTable(store.db()));
        QCOMPARE(number(store.db(), "PRAGMA schema_version"), schema);
    }

    void theUsersOwnChecksHold()
    {
        UsersStore store(
            {QString(kUsers).replace("payload TEXT", "payload TEXT CHECK (payload LIKE '%\"ok\"%')")});
        QCOMPARE(refusal(store.db(), rowOf("{\"ok\":1}")), QString());
        QCOMPARE(refusal(store.db(), rowOf("{}", "e2")),
                 QString("CHECK constraint failed: payload LIKE '%\"ok\"%'"));
    }

    void refusesTablesThatCannotTakeEvents_data()
    {
        QTest::addColumn<QStringList>("statements");
        QTest::newRow("WITHOUT ROWID") << QStringList{
            QString(kUsers).replace("TEXT PRIMARY KEY", "TEXT PRIMARY KEY NOT NULL") + " WITHOUT ROWID"};
        QTest::newRow("no id") << QStringList{"CREATE TABLE system_telemetry (source TEXT)"};
        QTest::newRow("same ids") << QStringList{QString(kUsers).remove("PRIMARY KEY"),
                                                 "INSERT INTO system_telemetry (id) VALUES ('a'), ('a')"};
    }

    void refusesTablesThatCannotTakeEvents()
    {
        QFETCH(QStringList, statements);
        UsersStore store(statements);
        QVERIFY(!store.opened());
        QVERIFY2(
            store.opened().error().text().contains("the table 'system_telemetry' that exists already cannot"),
            qPrintable(store.opened().error().text()));
    }

    void aLaterMigrationOfTheUserBringsItsOwn_data()
    {
        QTest::addColumn<bool>("used");
        QTest::newRow("before any event") << false;
        QTest::newRow("after some") << true;
    }

    void aLaterMigrationOfTheUserBringsItsOwn()
    {
        QFETCH(bool, used);
        test::TestStore store;
        if (used)
            QVERIFY(insert(store.db(), rowOf("{}")).value());
        QTemporaryDir folder;
        QFile file(folder.filePath("0001_init.sql"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("CREATE TABLE IF NOT EXISTS system_telemetry (id TEXT PRIMARY KEY, source TEXT NOT NULL, "
                   "tenant_id "
                   "TEXT NOT NULL, payload TEXT NOT NULL, region TEXT DEFAULT 'eu', created_at INTEGER NOT "
                   "NULL, CHECK "
                   "(tenant_id <> 'nobody'));\nCREATE INDEX by_tenant ON system_telemetry (tenant_id, "
                   "created_at DESC);");
        file.close();
        const auto applied = applyUserMigrations(store.db(), {folder.path(), "d1_migrations", {}});
        QVERIFY2(applied, qPrintable(applied ? QString() : applied.error().text()));
        QCOMPARE(store.number("SELECT count(*) FROM system_telemetry"), used ? 1 : 0);
        QVERIFY(insert(store.db(), rowOf("{}", "e2")).value());
        QCOMPARE(store.text("SELECT region FROM system_telemetry WHERE id = 'e2'"), QString("eu"));
        QVERIFY(!refusal(store.db(), rowOf("{\"source\":7}", "e3")).isEmpty());
        QCOMPARE(refusal(store.db(), rowOf("{\"tenantId\":\"nobody\"}", "e4")).isEmpty(), used);
        QCOMPARE(
            store.number("SELECT row_count - (SELECT count(*) FROM system_telemetry) FROM telemetry_size"),
            0);
        QCOMPARE(store.number("SELECT count(*) FROM sqlite_master WHERE name = 'system_telemetry_tenant'"),
                 0);
    }

    void aTableThatWasMadeAnewGetsItsRules()
    {
        test::TestStore store;
        QVERIFY(insert(store.db(), rowOf("{}")).value());
        store.execute("CREATE TABLE copied AS SELECT * FROM system_telemetry");
        store.execute("DROP TABLE system_telemetry");
        store.execute("ALTER TABLE copied RENAME TO system_telemetry");
        QVERIFY(ensureTelemetryTable(store.db()));
        QVERIFY(!insert(store.db(), rowOf("{}")).value());
        QVERIFY(!refusal(store.db(), rowOf("{\"source\":7}", "e3")).isEmpty());
        QCOMPARE(store.number("SELECT row_count FROM telemetry_size"), 1);
    }

    void aTableThatIsGoneIsMadeAsTheMigrationMakesIt()
    {
        test::TestStore store;
        const QString schema = "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_master WHERE "
                               "tbl_name = 'system_telemetry' AND sql IS NOT NULL ORDER BY type, name)";
        const auto plain = [&] {
            return store.text(schema).simplified().replace("( ", "(").replace(" )", ")");
        };
        const QString before = plain();
        QVERIFY(insert(store.db(), rowOf("{}")).value());
        QVERIFY(!telemetryTableIsMissing(store.db()).value());
        store.execute("DROP TABLE system_telemetry");
        QVERIFY(telemetryTableIsMissing(store.db()).value());
        QVERIFY(ensureTelemetryTable(store.db()));
        QCOMPARE(plain(), before);
        QCOMPARE(telemetry_store::size(store.db())->rows, 0);
        QVERIFY(insert(store.db(), rowOf("{}")).value());
    }

    void sizesFollowEveryChange()
    {
        test::TestStore store;
        for (int i = 0; i < 5; ++i)
            QVERIFY(insert(store.db(), rowOf("{\"n\":\"\xc3\xa4\"}", QString::number(i))).value());
        QCOMPARE(telemetry_store::size(store.db())->rows, 5);
        QCOMPARE(telemetry_store::size(store.db())->bytes, 50);
        store.execute("UPDATE system_telemetry SET payload = '{}' WHERE id = '0'");
        store.execute("DELETE FROM system_telemetry WHERE id = '1'");
        QCOMPARE(telemetry_store::size(store.db())->rows, 4);
        QCOMPARE(telemetry_store::size(store.db())->bytes, 32);
        // What a program of the user's adds is counted at the next start.
        store.execute("INSERT INTO system_telemetry VALUES ('mine', 'audit', 'x', '[1]', 5)");
        QVERIFY(ensureTelemetryTable(store.db()));
        QCOMPARE(telemetry_store::size(store.db())->rows, 5);
        QCOMPARE(telemetry_store::size(store.db())->bytes, 35);
    }

    void theOldestGoFirst()
    {
        UsersStore store({kUsers, "INSERT INTO system_telemetry VALUES ('old', 'audit', 'x', '{}', 1000)"});
        for (int i = 0; i < 10; ++i)
            QVERIFY(insert(store.db(), rowOf(i % 2 == 0 ? "{\"source\":\"metric\"}" : "{}",
                                             QString::number(i), 2000 + (i * 7) % 10))
                        .value());
        Cycle cycle(store.db());
        cycle.nowMs = kNow;
        using telemetry_store::PruneReason;
        QCOMPARE(telemetry_store::deleteOldest(cycle, PruneReason::Age, 2004, 3).value(), 3);
        QCOMPARE(number(store.db(), "SELECT min(created_at) FROM system_telemetry WHERE id <> 'old'"), 2003);
        QCOMPARE(telemetry_store::deleteOldest(cycle, PruneReason::Age, 2004, 3).value(), 2);
        QCOMPARE(telemetry_store::deleteOldest(cycle, PruneReason::Size, kNow, 4).value(), 4);
        QCOMPARE(number(store.db(), "SELECT count(*) FROM system_telemetry WHERE created_at = 2009"), 1);
        QCOMPARE(number(store.db(), "SELECT count(*) FROM system_telemetry WHERE id = 'old'"), 1);
        const auto pruned = telemetry_store::pruning(store.db());
        QVERIFY(pruned);
        QCOMPARE(pruned->byAge.rows, 5);
        QCOMPARE(pruned->byAge.lastRows, 2);
        QCOMPARE(pruned->byAge.lastAtMs, std::optional(kNow));
        QCOMPARE(pruned->bySize.rows, 4);
        QCOMPARE(pruned->byAge.bytes + pruned->bySize.bytes + telemetry_store::size(store.db())->bytes,
                 5 * 19 + 5 * 2 + 2);
    }
};

QTEST_GUILESS_MAIN(TelemetryTableTest)
#include "table_test.moc"
