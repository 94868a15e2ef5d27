#include "core/db/migrator.h"

#include "core/db/store_check.h"
#include "tests/support/test_store.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'900'000'000'000;

// A database as a user's own program left it.
void makeUsersDatabase(const DatabaseTarget& target, const QStringList& statements)
{
    auto connection = Connection::open(target, Access::Writer);
    QVERIFY(connection);
    for (const QString& statement : statements) {
        auto done = (*connection)->execute(statement);
        QVERIFY2(done, qPrintable(done ? QString() : done.error().text()));
    }
}

qint64 number(Connection& connection, const QString& statement)
{
    auto query = connection.dynamicQuery(statement);
    return query.next() ? query.int64(0) : -1;
}

} // namespace

class MigratorTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void numbersAreInOrder()
    {
        const auto migrations = ownMigrations();
        QVERIFY(migrations.size() >= 5);
        for (int i = 0; i < migrations.size(); ++i) {
            QVERIFY(migrations[i].number > (i == 0 ? 0 : migrations[i - 1].number));
            QVERIFY(!migrations[i].sql.isEmpty());
        }
        QCOMPARE(knownSchema(), migrations.last().number);
    }

    void aNewStoreIsMarkedAndRecorded()
    {
        test::TestStore store(kNow);
        QCOMPARE(store.number("PRAGMA application_id"), kApplicationId);
        QCOMPARE(store.number("PRAGMA user_version"), knownSchema());
        QCOMPARE(store.number("SELECT count(*) FROM redrive_migrations"), ownMigrations().size());
        QCOMPARE(store.number("SELECT max(applied_at_ms) FROM redrive_migrations"), kNow);
        QCOMPARE(store.text("PRAGMA journal_mode"), QString("wal"));
        QVERIFY(lastBackup(store.target()).isEmpty());
    }

    void openingAgainChangesNothing()
    {
        test::TestStore store(kNow);
        const qint64 before = store.number("PRAGMA schema_version");
        auto again = openStore(store.target(), Access::Writer, kNow + 1);
        QVERIFY(again);
        QCOMPARE(number(**again, "PRAGMA schema_version"), before);
        QCOMPARE(number(**again, "SELECT max(applied_at_ms) FROM redrive_migrations"), kNow);
    }

    void adoptsTablesOfTheUser_data()
    {
        QTest::addColumn<QStringList>("statements");
        const QString insertJob = "INSERT INTO jobs (id, type, status, created_at, updated_at) VALUES "
                                  "('j1', 'mail', 'pending', 5, 6)";
        QTest::newRow("plain") << QStringList{
            "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT NOT NULL, status TEXT NOT NULL DEFAULT "
            "'pending', "
            "payload TEXT, error TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)",
            insertJob};
        QTest::newRow("strict") << QStringList{
            "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT NOT NULL, status TEXT NOT NULL DEFAULT "
            "'pending', "
            "payload TEXT, error TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT",
            insertJob};
        QTest::newRow("no error and payload columns") << QStringList{
            "CREATE TABLE \"jobs\" (id TEXT PRIMARY KEY, type TEXT, status TEXT, created_at INTEGER, "
            "updated_at INTEGER)",
            insertJob};
        QTest::newRow("columns of ours are there already, in capitals") << QStringList{
            "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT, status TEXT, payload TEXT, QUEUE TEXT, "
            "Attempts INTEGER DEFAULT 7, created_at INTEGER, updated_at INTEGER)",
            insertJob};
        QTest::newRow("deliveries, a trigger and the ledger of D1") << QStringList{
            "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT, status TEXT, created_at INTEGER, updated_at "
            "INTEGER)",
            "CREATE TABLE webhook_deliveries (id TEXT PRIMARY KEY, endpoint_id TEXT NOT NULL, event_type "
            "TEXT "
            "NOT NULL, status TEXT NOT NULL, error TEXT, created_at INTEGER NOT NULL) STRICT",
            "CREATE INDEX idx_jobs_status ON jobs (status)",
            "CREATE TRIGGER touch AFTER UPDATE OF status ON jobs BEGIN UPDATE jobs SET updated_at = 9 WHERE "
            "id = "
            "new.id; END",
            "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
            insertJob};
    }

    void adoptsTablesOfTheUser()
    {
        QFETCH(QStringList, statements);
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("d1.sqlite")};
        makeUsersDatabase(target, statements);

        auto store = openStore(target, Access::Writer, kNow);
        QVERIFY2(store, qPrintable(store ? QString() : store.error().text()));
        QCOMPARE(
            number(**store, "SELECT count(*) FROM jobs WHERE id = 'j1' AND type = 'mail' AND created_at = 5"),
            1);
        QCOMPARE(number(**store,
                        "SELECT count(*) FROM jobs WHERE due_at_ms IS NULL AND run = 1 AND discarded = 0"),
                 1);
        QCOMPARE(number(**store, "SELECT count(*) FROM pragma_table_info('webhook_deliveries') WHERE name IN "
                                 "('event_id', 'settings', 'budget')"),
                 3);

        // The user's rows were copied first.
        const QString backup = lastBackup(target);
        QVERIFY(!backup.isEmpty());
        auto copy = Connection::open({backup}, Access::Reader);
        QVERIFY(copy);
        QCOMPARE(number(**copy, "SELECT count(*) FROM jobs"), 1);
        QCOMPARE(number(**copy, "SELECT count(*) FROM sqlite_master WHERE name = 'messages'"), 0);
    }

    void aFailingMigrationLeavesNothingBehind()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("d1.sqlite")};
        makeUsersDatabase(target, {"CREATE TABLE audit (who TEXT)", "INSERT INTO audit VALUES ('me')"});
        auto store = openStore(target, Access::Writer, kNow);
        QVERIFY(!store);
        QVERIFY2(store.error().text().contains("0005_operations.sql") &&
                     store.error().text().contains("audit already exists"),
                 qPrintable(store.error().text()));
        auto after = Connection::open(target, Access::Reader);
        QVERIFY(after);
        QCOMPARE(number(**after, "SELECT count(*) FROM sqlite_master"), 1);
        QCOMPARE(number(**after, "PRAGMA application_id"), 0);
        QCOMPARE(number(**after, "PRAGMA user_version"), 0);
    }

    void tablesWithoutRowKeysAreRefused()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("d1.sqlite")};
        makeUsersDatabase(target,
                          {"CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT, status TEXT, created_at "
                           "INTEGER, updated_at INTEGER) WITHOUT ROWID"});
        auto store = openStore(target, Access::Writer, kNow);
        QVERIFY(!store);
        QVERIFY2(store.error().message.contains("'jobs'") && store.error().message.contains("WITHOUT ROWID"),
                 qPrintable(store.error().text()));
    }

    void aReaderDoesNotMigrate()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("d1.sqlite")};
        auto missing = openStore(target, Access::Reader);
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, ErrorKind::NotFound);
        QVERIFY(!QFile::exists(target.path));

        makeUsersDatabase(target, {"CREATE TABLE t (a)"});
        auto store = openStore(target, Access::Reader);
        QVERIFY(!store);
        QCOMPARE(store.error().kind, ErrorKind::Refused);
    }

    void twoProcessesMayMigrateAtOnce()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("jobs.db")};
        auto first = openChecked(target, Access::Writer);
        auto second = openChecked(target, Access::Writer);
        QVERIFY(first && second);
        QVERIFY(migrateStore(**first, kNow));
        QVERIFY(migrateStore(**second, kNow + 1));
        QCOMPARE(number(**second, "SELECT count(*) FROM redrive_migrations"), ownMigrations().size());
    }
};

QTEST_GUILESS_MAIN(MigratorTest)
#include "migrator_test.moc"
