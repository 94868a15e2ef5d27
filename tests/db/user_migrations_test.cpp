#include "core/db/user_migrations.h"

#include "core/db/migrator.h"
#include "tests/support/test_store.h"

#include <QDir>
#include <QTest>

using namespace redrive;

namespace {

class Folder final
{
public:
    void write(const QString& name, const QByteArray& content)
    {
        const QString path = m_folder.filePath("migrations/" + name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write");
    }
    UserMigrations migrations() const { return {m_folder.filePath("migrations"), "d1_migrations", {}}; }

private:
    QTemporaryDir m_folder;
};

} // namespace

class UserMigrationsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void appliesInOrderAndOnlyOnce()
    {
        test::TestStore store;
        Folder folder;
        folder.write("10_c.sql", "INSERT INTO t VALUES (10)");
        folder.write("9_b.sql", "INSERT INTO t VALUES (9);");
        folder.write("1_a.sql", "CREATE TABLE t (a); INSERT INTO t VALUES (1);");
        folder.write("readme.md", "not SQL");
        folder.write("old/1.sql", "not taken");
        const QStringList expected{"1_a.sql", "9_b.sql", "10_c.sql"};

        const auto pending = pendingUserMigrations(store.db(), folder.migrations());
        QVERIFY(pending);
        QCOMPARE(*pending, expected);
        QCOMPARE(store.number("SELECT count(*) FROM sqlite_master WHERE name = 'd1_migrations'"), 0);

        QStringList heard;
        const auto applied = applyUserMigrations(store.db(), folder.migrations(),
                                                 [&heard](const QString& name) { heard.append(name); });
        QVERIFY(applied);
        QCOMPARE(*applied, expected);
        QCOMPARE(heard, expected);
        QCOMPARE(store.text("SELECT group_concat(a) FROM t"), QString("1,9,10"));
        QCOMPARE(store.text("SELECT group_concat(name) FROM (SELECT name FROM d1_migrations ORDER BY id)"),
                 expected.join(','));
        QCOMPARE(
            store.number("SELECT count(*) FROM d1_migrations WHERE applied_at LIKE '____-__-__ __:__:__'"),
            3);

        const auto again = applyUserMigrations(store.db(), folder.migrations());
        QVERIFY(again);
        QVERIFY(again->isEmpty());
        QVERIFY(userMigrationsHint(folder.migrations()).contains("old/1.sql"));
    }

    void takesNestedFilesByPattern()
    {
        test::TestStore store;
        Folder folder;
        folder.write("10_b/migration.sql", "INSERT INTO t VALUES (2)");
        folder.write("9_a/migration.sql", "CREATE TABLE t (a)");
        folder.write("9_a/snapshot.sql", "no");
        UserMigrations migrations = folder.migrations();
        migrations.pattern = "migrations/*/migration.sql";
        migrations.table = "my \"ledger\"; DROP TABLE jobs";
        const auto applied = applyUserMigrations(store.db(), migrations);
        QVERIFY2(applied, qPrintable(applied ? QString() : applied.error().text()));
        QCOMPARE(*applied, (QStringList{"9_a/migration.sql", "10_b/migration.sql"}));
        QCOMPARE(store.number("SELECT count(*) FROM \"my \"\"ledger\"\"; DROP TABLE jobs\""), 2);
        QCOMPARE(store.number("SELECT count(*) FROM jobs"), 0);
    }

    void runsWholeScripts_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("check");
        QTest::addColumn<QString>("answer");
        QTest::newRow("trigger in CRLF, lower case")
            << QByteArray(
                   "create table t (a, b);\r\ncreate trigger g after insert on t begin\r\n  update t set b = "
                   "case new.a when 1 then 'one' else 'x;y' end where rowid = new.rowid;\r\nend;\r\ninsert "
                   "into t (a) values (1), (2);\r\n")
            << "SELECT group_concat(b) FROM t"
            << "one,x;y";
        QTest::newRow("dump")
            << QByteArray("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(a TEXT);\nINSERT "
                          "INTO t VALUES('a;b');\nCOMMIT;\n")
            << "SELECT a FROM t"
            << "a;b";
        QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf"
                                                       "CREATE TABLE t (a); INSERT INTO t VALUES (5)")
                                         << "SELECT a FROM t"
                                         << "5";
        QTest::newRow("line ends in literals are kept")
            << QByteArray("CREATE TABLE t (a);\r\nINSERT INTO t VALUES "
                          "('x\r\ny');")
            << "SELECT hex(a) FROM t"
            << "780D0A79";
        QTest::newRow("tokens of our stores mean nothing here")
            << QByteArray("CREATE TABLE t (a); INSERT INTO t VALUES ('{rowkey} {bytes:x} ? :a')")
            << "SELECT a || '' FROM t"
            << "{rowkey} {bytes:x} ? :a";
        QTest::newRow("nothing in it") << QByteArray("-- later\n") << "SELECT count(*) FROM d1_migrations"
                                       << "1";
        QTest::newRow("six tables and a trigger")
            << QByteArray(
                   "CREATE TABLE a(x);CREATE TABLE b(x);CREATE TABLE c(x);CREATE TABLE d(x);CREATE TABLE "
                   "e(x);CREATE TABLE f(x);\nCREATE TRIGGER g AFTER INSERT ON a BEGIN INSERT INTO b VALUES "
                   "(new.x); INSERT INTO c VALUES (new.x); END;")
            << "SELECT count(*) FROM sqlite_master WHERE name IN ('a','b','c','d','e','f','g')"
            << "7";
    }

    void runsWholeScripts()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, check);
        QFETCH(QString, answer);
        test::TestStore store;
        Folder folder;
        folder.write("0001_it's here.sql", script);
        const auto applied = applyUserMigrations(store.db(), folder.migrations());
        QVERIFY2(applied, qPrintable(applied ? QString() : applied.error().text()));
        QCOMPARE(*applied, QStringList{"0001_it's here.sql"});
        QCOMPARE(store.text(check), answer);
    }

    void refusesTransactions_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("words");
        QTest::newRow("two")
            << QByteArray("BEGIN; CREATE TABLE t (a); COMMIT;\nBEGIN TRANSACTION; SELECT 1; COMMIT;")
            << "has a second transaction at statement 4 (line 2: BEGIN TRANSACTION): the file runs "
               "in one transaction anyway. Remove every BEGIN, COMMIT and ROLLBACK from it";
        QTest::newRow("open") << QByteArray("BEGIN; SELECT 1;") << "has a BEGIN without its COMMIT";
        QTest::newRow("commit alone") << QByteArray("SELECT 1; COMMIT;") << "has a COMMIT without its BEGIN";
        QTest::newRow("rollback") << QByteArray("BEGIN; SELECT 1; ROLLBACK;")
                                  << "has a ROLLBACK at statement 3";
    }

    void refusesTransactions()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, words);
        test::TestStore store;
        Folder folder;
        folder.write("0001_x.sql", script);
        const auto applied = applyUserMigrations(store.db(), folder.migrations());
        QVERIFY(!applied);
        QVERIFY2(applied.error().message.startsWith("0001_x.sql " + words),
                 qPrintable(applied.error().text()));
        QCOMPARE(store.number("SELECT count(*) FROM sqlite_master WHERE name = 't'"), 0);
    }

    void theFirstFailureStops()
    {
        test::TestStore store;
        Folder folder;
        folder.write("0001_good.sql", "CREATE TABLE first (a);");
        folder.write("0002_bad.sql", "CREATE TABLE second (a);\n\nINSERT INTO nope VALUES (1);\n");
        folder.write("0003_later.sql", "CREATE TABLE third (a);");
        QStringList heard;
        const auto applied = applyUserMigrations(store.db(), folder.migrations(),
                                                 [&heard](const QString& name) { heard.append(name); });
        QVERIFY(!applied);
        QCOMPARE(heard, QStringList{"0001_good.sql"});
        QCOMPARE(
            applied.error().text(),
            QString(
                "0002_bad.sql failed at statement 2 (line 3: INSERT INTO nope VALUES (1)): no such table: "
                "nope"));
        QCOMPARE(
            store.text(
                "SELECT group_concat(name) FROM sqlite_master WHERE name IN ('first', 'second', 'third')"),
            QString("first"));
        QCOMPARE(store.text("SELECT group_concat(name) FROM d1_migrations"), QString("0001_good.sql"));
        QVERIFY(!store.db().inTransaction());
    }

    void aSchemaMadeByHandCanBeMarked()
    {
        test::TestStore store;
        Folder folder;
        folder.write("0001_a.sql", "ALTER TABLE t ADD COLUMN b");
        store.execute("CREATE TABLE t (a, b)");
        const auto applied = applyUserMigrations(store.db(), folder.migrations());
        QVERIFY(!applied);
        QVERIFY(applied.error().detail.contains("duplicate column name"));
        QVERIFY(markUserMigrationApplied(store.db(), folder.migrations(), "0001_a.sql"));
        const auto pending = pendingUserMigrations(store.db(), folder.migrations());
        QVERIFY(pending && pending->isEmpty());
        QVERIFY(!markUserMigrationApplied(store.db(), folder.migrations(), "0001_a.sql"));
    }

    void tablesThatTheStoreMadeFirstAreShared()
    {
        test::TestStore store;
        Folder folder;
        folder.write(
            "0001_init.sql",
            "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT NOT NULL, status TEXT NOT NULL DEFAULT "
            "'pending', payload TEXT, error TEXT, tenant TEXT NOT NULL DEFAULT 'none', note VARCHAR(20) NOT "
            "NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);\n"
            "CREATE TABLE \"webhook_deliveries\" (id TEXT PRIMARY KEY, endpoint_id TEXT, event_type TEXT, "
            "status TEXT, error TEXT, created_at INTEGER);\n"
            "CREATE INDEX by_status ON jobs (status);");
        const auto applied = applyUserMigrations(store.db(), folder.migrations());
        QVERIFY2(applied, qPrintable(applied ? QString() : applied.error().text()));
        store.execute("INSERT INTO jobs (id, type) VALUES ('a', 'b')");
        QCOMPARE(store.text("SELECT tenant FROM jobs"), QString("none"));
        QCOMPARE(store.number("SELECT count(*) FROM pragma_table_info('jobs') WHERE name = 'note'"), 1);
        QCOMPARE(store.number("SELECT count(*) FROM temp.sqlite_master"), 0);
    }

    void theUsersTablesMayComeFirst()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("jobs.db")};
        Folder files;
        files.write("0001_init.sql",
                    "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT NOT NULL, status TEXT NOT "
                    "NULL DEFAULT 'pending', payload TEXT, error TEXT, created_at INTEGER NOT NULL, "
                    "updated_at INTEGER NOT NULL)");
        auto connection = openChecked(target, Access::Writer);
        QVERIFY(connection);
        QVERIFY(applyUserMigrations(**connection, files.migrations()));
        QVERIFY(migrateStore(**connection, 1));
    }

    void saysWhatIsWrongWithTheFiles()
    {
        test::TestStore store;
        const auto missing = applyUserMigrations(store.db(), {"/nonexistent", "d1_migrations", {}});
        QVERIFY(!missing);
        QCOMPARE(missing.error().message, QString("the migrations folder '/nonexistent' does not exist"));
        Folder folder;
        folder.write("1.sql", "SELECT '\xff'");
        const auto text = applyUserMigrations(store.db(), folder.migrations());
        QVERIFY(!text);
        QCOMPARE(text.error().message, QString("1.sql is not UTF-8 text"));
    }
};

QTEST_GUILESS_MAIN(UserMigrationsTest)
#include "user_migrations_test.moc"
