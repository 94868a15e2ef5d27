#include "core/db/store_check.h"

#include "core/base/file_lock.h"
#include "core/db/held_data.h"
#include "core/db/migrator.h"
#include "tests/support/test_store.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace redrive;

namespace {

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// A closed store with rows in it, everything in the one file.
QString makeStore(const QTemporaryDir& folder)
{
    const DatabaseTarget target{folder.filePath("jobs.db")};
    auto store = openStore(target, Access::Writer);
    if (!store)
        return {};
    (void)(*store)->execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
                            "INSERT INTO jobs (id, type) "
                            "SELECT printf('%05d', i), 'mail' FROM n");
    (void)noteHeldData(**store, 1'935'483'240'000);
    (void)(*store)->execute("PRAGMA wal_checkpoint(TRUNCATE)");
    return target.path;
}

} // namespace

class StoreCheckTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void refusesAndLeavesTheFileAsItIs_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("a picture") << "x.jpg" << QByteArray("\xff\xd8\xff\xe0 JFIF");
        QTest::newRow("text") << "notes.txt" << QByteArray("hello\n");
        QTest::newRow("long garbage") << "g.db" << QByteArray(20'000, 'x');
    }

    void refusesAndLeavesTheFileAsItIs()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        const QString path = folder.filePath(name);
        write(path, content);
        for (const Access access : {Access::Writer, Access::Reader}) {
            auto store = openStore({path}, access);
            QVERIFY(!store);
            QCOMPARE(store.error().kind, ErrorKind::Corrupt);
            QCOMPARE(store.error().message, QString("'%1' is not a database of this program.").arg(name));
            QCOMPARE(read(path), content);
        }
    }

    void refusesADatabaseOfAnotherProgram()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("other.db")};
        {
            auto other = Connection::open(target, Access::Writer);
            QVERIFY(other);
            QVERIFY((*other)->execute("PRAGMA application_id=12345"));
            QVERIFY((*other)->execute("CREATE TABLE a (b)"));
        }
        const QByteArray before = read(target.path);
        auto store = openStore(target, Access::Writer);
        QVERIFY(!store);
        QCOMPARE(store.error().message, QString("'other.db' is not a database of this program."));
        QCOMPARE(read(target.path), before);
    }

    void refusesANewerSchemaWithBothNumbers()
    {
        QTemporaryDir folder;
        const QString path = makeStore(folder);
        {
            auto store = Connection::open({path}, Access::Writer);
            QVERIFY((*store)->execute("PRAGMA user_version=900"));
            (void)(*store)->execute("PRAGMA wal_checkpoint(TRUNCATE)");
        }
        const QByteArray before = read(path);
        for (const Access access : {Access::Writer, Access::Reader}) {
            auto store = openStore({path}, access);
            QVERIFY(!store);
            QCOMPARE(store.error().kind, ErrorKind::Corrupt);
            QCOMPARE(
                store.error().message,
                QString(
                    "'jobs.db' was written by a newer version (schema 900, this version knows %1). Update "
                    "the program.")
                    .arg(knownSchema()));
        }
        QCOMPARE(read(path), before);
    }

    void refusesAFileThatWasEmptied()
    {
        QTemporaryDir folder;
        const QString path = makeStore(folder);
        write(path, {});
        auto store = openStore({path}, Access::Writer);
        QVERIFY(!store);
        QCOMPARE(store.error().kind, ErrorKind::Corrupt);
        QCOMPARE(
            store.error().message,
            QString("The database file 'jobs.db' is empty (0 bytes). It held 500 jobs when it was last open "
                    "(%1). Nothing has been changed.")
                .arg(QDateTime::fromMSecsSinceEpoch(1'935'483'240'000).toString("yyyy-MM-dd hh:mm")));
        QCOMPARE(QFileInfo(path).size(), 0);

        forgetHeldData({path});
        QVERIFY(openStore({path}, Access::Writer));
    }

    void anEmptyFileThatNeverHeldAnythingIsANewStore()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("new.db");
        write(path, {});
        QVERIFY(openStore({path}, Access::Writer));
    }

    void aLogWithoutItsDatabaseIsNotDeleted()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("jobs.db");
        write(path + "-wal", "what was committed last");
        auto store = openStore({path}, Access::Writer);
        QVERIFY(!store);
        QCOMPARE(store.error().kind, ErrorKind::Corrupt);
        QVERIFY(store.error().message.contains("'jobs.db-wal'"));
        QCOMPARE(read(path + "-wal"), QByteArray("what was committed last"));
    }

    void namesDamage_data()
    {
        QTest::addColumn<int>("offset");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<bool>("truncate");
        QTest::newRow("the header") << 16 << 16 << false;
        QTest::newRow("the schema's page") << 100 << 200 << false;
        QTest::newRow("half of the file is missing") << 0 << 0 << true;
    }

    void namesDamage()
    {
        QFETCH(int, offset);
        QFETCH(int, bytes);
        QFETCH(bool, truncate);
        QTemporaryDir folder;
        const QString path = makeStore(folder);
        QByteArray content = read(path);
        QVERIFY(content.size() > 16'384);
        content.replace(offset, bytes, QByteArray(bytes, '\x5a'));
        if (truncate)
            content.truncate(content.size() / 2);
        write(path, content);
        auto store = openStore({path}, Access::Writer);
        QVERIFY(!store);
        QCOMPARE(store.error().kind, ErrorKind::Corrupt);
        QVERIFY2(store.error().message.startsWith("'jobs.db' is damaged"), qPrintable(store.error().text()));
        QVERIFY(store.error().message.endsWith(
            "It is now read-only so that nothing gets worse. Last good backup: none."));
        QCOMPARE(read(path), content);
    }

    void aFolderIsNoDatabase()
    {
        QTemporaryDir folder;
        auto store = openStore({folder.path()}, Access::Writer);
        QVERIFY(!store);
        QVERIFY(store.error().message.endsWith("is not a database of this program."));
    }

    void saysWhereItCannotBeOpened()
    {
        auto store = openStore({"/nonexistent/folder/jobs.db"}, Access::Writer);
        QVERIFY(!store);
        QCOMPARE(store.error().message, QString("'jobs.db' cannot be opened in '/nonexistent/folder'"));
    }

    void aReadOnlyFileIsRefusedToAWriter()
    {
        QTemporaryDir folder;
        const QString path = makeStore(folder);
        const QByteArray before = read(path);
        QVERIFY(QFile::setPermissions(folder.path(), QFile::Permissions(0x5555)));
        QVERIFY(QFile::setPermissions(path, QFile::Permissions(0x4444)));
        const bool isRoot = ::geteuid() == 0;
        QVERIFY(!isRoot || ::seteuid(65'534) == 0); // root may write everything
        auto store = openStore({path}, Access::Writer);
        QVERIFY(!isRoot || ::seteuid(0) == 0);
        QVERIFY(QFile::setPermissions(folder.path(), QFile::Permissions(0x7700)));
        QVERIFY(!store);
        QCOMPARE(store.error().kind, ErrorKind::ReadOnly);
        QCOMPARE(store.error().message,
                 QString("'jobs.db' is read-only: the file or its folder cannot be written. Nothing has been "
                         "changed."));
        QCOMPARE(read(path), before);
    }

    // Another process could remove the log under connections that are open here.
    void givesUpNoLockOfOpenConnections()
    {
        const test::TestStore store;
        const auto reader = store.openReader();
        QVERIFY(checkStore(store.target(), knownSchema()).has_value());
        QVERIFY(FileLock::isHeld(store.target().path)); // last: looking gives them up too
    }

    void namesTheLastBackup()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("jobs.db")};
        QVERIFY(lastBackup(target).isEmpty());
        write(target.path + ".backup-3-20310502-101400000", "x");
        QCOMPARE(lastBackup(target), target.path + ".backup-3-20310502-101400000");
        const Error damaged = explainStoreError(
            target, {ErrorKind::Corrupt, "reading", "database disk image is malformed", {}});
        QVERIFY(damaged.message.endsWith("Last good backup: jobs.db.backup-3-20310502-101400000."));
    }
};

QTEST_GUILESS_MAIN(StoreCheckTest)
#include "store_check_test.moc"
