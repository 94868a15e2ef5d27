// The layer that gathers what a commit appends to the log, upon one that counts and refuses writes.
#include "core/db/checkpoint.h"
#include "core/db/gathering_layer.h"
#include "core/db/transaction.h"
#include "tests/support/test_store.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <cstring>

#include <sqlite3.h>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

struct Beneath
{
    sqlite3_vfs* real = nullptr;
    sqlite3_io_methods methods = {};
    const sqlite3_io_methods* realMethods = nullptr;
    int writes = 0;
    int refuseAfter = -1; // so many more writes of the log succeed; -1: all do
};

Beneath& beneath()
{
    static Beneath made;
    return made;
}

int writeLog(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset)
{
    ++beneath().writes;
    if (beneath().refuseAfter == 0)
        return SQLITE_FULL;
    if (beneath().refuseAfter > 0)
        --beneath().refuseAfter;
    return beneath().realMethods->xWrite(file, bytes, count, offset);
}

int openCounted(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* outFlags)
{
    const int code = beneath().real->xOpen(beneath().real, name, file, flags, outFlags);
    if (code == SQLITE_OK && (flags & SQLITE_OPEN_WAL) != 0) {
        beneath().realMethods = file->pMethods;
        beneath().methods = *file->pMethods;
        beneath().methods.xWrite = writeLog;
        file->pMethods = &beneath().methods;
    }
    return code;
}

void insertMany(Connection& db, int from, int rows)
{
    for (int i = from; i < from + rows; ++i) {
        auto insert = db.query("INSERT INTO t VALUES (?, zeroblob(2000))");
        QVERIFY(insert.bind(i).run());
    }
}

qint64 count(Connection& db, const char* statement = "SELECT count(*) FROM t")
{
    auto query = db.query(statement);
    return query.next() ? query.int64(0) : -1;
}

bool isWhole(Connection& db)
{
    auto check = db.query("PRAGMA integrity_check");
    return check.next() && check.text(0) == u"ok";
}

} // namespace

class GatheringLayerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        beneath().real = sqlite3_vfs_find(nullptr);
        static sqlite3_vfs layer = *beneath().real;
        layer.zName = "counted";
        layer.xOpen = openCounted;
        QCOMPARE(sqlite3_vfs_register(&layer, 1), SQLITE_OK);
    }

    void init()
    {
        m_store = std::make_unique<TestStore>();
        m_store->execute(u"CREATE TABLE t (n INTEGER PRIMARY KEY, b BLOB)"_s);
        beneath().writes = 0;
    }

    void cleanup()
    {
        beneath().refuseAfter = -1;
        m_store.reset();
    }

    void aCommitIsAFewWrites()
    {
        auto transaction = Transaction::begin(db());
        insertMany(db(), 0, 60); // 30 pages, near 120 KiB
        QVERIFY(transaction->commit());
        QVERIFY2(beneath().writes >= 1 && beneath().writes <= 3,
                 qPrintable(QString::number(beneath().writes)));
        QCOMPARE(count(*m_store->openReader()), 60);
    }

    void commitsThatAreNotSyncedAreWrittenAsTheyCome_data()
    {
        QTest::addColumn<QString>("synchronous");
        QTest::newRow("normal") << u"NORMAL"_s;
        QTest::newRow("off") << u"0"_s;
    }

    void commitsThatAreNotSyncedAreWrittenAsTheyCome()
    {
        QFETCH(QString, synchronous);
        QVERIFY(db().execute(u"PRAGMA synchronous="_s + synchronous));
        {
            auto transaction = Transaction::begin(db());
            (void)db().execute(u"PRAGMA synchronous=FULL"_s); // is refused inside a transaction
            insertMany(db(), 0, 60);
            QVERIFY(transaction->commit());
        }
        QCOMPARE(count(*m_store->openReader()), 60);
        QVERIFY(db().execute(u"PRAGMA synchronous="_s + synchronous));
        beneath().writes = 0;
        auto transaction = Transaction::begin(db());
        insertMany(db(), 60, 60);
        QVERIFY(transaction->commit());
        QVERIFY2(beneath().writes > 50, qPrintable(QString::number(beneath().writes)));
        const auto reader = m_store->openReader();
        QCOMPARE(count(*reader), 120);
        QVERIFY(isWhole(*reader));
    }

    void othersSeeEachCommitAtOnce()
    {
        const auto reader = m_store->openReader();
        for (int i = 0; i < 50; ++i) {
            insertMany(db(), i, 1);
            QCOMPARE(count(*reader), i + 1);
        }
        const auto other = m_store->openWriter();
        insertMany(*other, 50, 1);
        insertMany(db(), 51, 1);
        QCOMPARE(count(*other), 52);
        QVERIFY(isWhole(*reader));
    }

    void whatDoesNotFitIntoMemoryIsReadBackAndUndone()
    {
        insertMany(db(), 0, 10);
        {
            auto transaction = Transaction::begin(db());
            insertMany(db(), 10, 5'000);                                 // 10 MB, five times the cache
            auto change = db().query("UPDATE t SET b = zeroblob(2001)"); // pages written a second time
            QVERIFY(change.run());
            QCOMPARE(count(db()), 5'010);
            QCOMPARE(count(*m_store->openReader()), 10);
        }
        QCOMPARE(count(db()), 10);
        auto transaction = Transaction::begin(db());
        insertMany(db(), 10, 5'000);
        QVERIFY(transaction->commit());
        QCOMPARE(count(*m_store->openReader()), 5'010);
        QVERIFY(isWhole(db()));
    }

    void whatWasUndoneIsNotWrittenOverWhatOthersCommitted_data()
    {
        QTest::addColumn<bool>("refused");
        QTest::newRow("undone") << false;
        QTest::newRow("refused") << true;
    }

    void whatWasUndoneIsNotWrittenOverWhatOthersCommitted()
    {
        QFETCH(bool, refused);
        const auto other = m_store->openWriter();
        for (int round = 0; round < 8; ++round) {
            QVERIFY(checkpoint(*other, CheckpointMode::Truncate)); // so that nothing of the log is read back
            {
                auto transaction = Transaction::begin(db());
                if (refused)
                    beneath().refuseAfter = 2;
                for (int i = 0; i < 1'500 + 7 * round; ++i) { // in the end some pages wait to be written
                    auto insert = db().query("INSERT INTO t VALUES (?, zeroblob(2000))");
                    if (!insert.bind(1'000'000 + i).run())
                        break;
                }
            }
            beneath().refuseAfter = -1;
            insertMany(*other, 3'000 * round, 1'000 + 500 * (round % 4));
            const qint64 rows = count(*other);
            QCOMPARE(count(db()), rows);
            QCOMPARE(count(db(), "SELECT count(*) FROM t WHERE n >= 1000000"), 0);
            insertMany(db(), 3'000 * round + 2'999, 1);
            QCOMPARE(count(*other), rows + 1);
        }
        QVERIFY(isWhole(db()));
        QVERIFY(isWhole(*other));
        QVERIFY(checkpoint(db(), CheckpointMode::Truncate));
        QVERIFY(isWhole(*m_store->openReader()));
    }

    void aRefusedWriteEndsItsTransactionAndNothingElse_data()
    {
        QTest::addColumn<int>("rows"); // of 2 KB, two to a page
        QTest::addColumn<int>("after");
        QTest::newRow("the only write of a commit") << 4 << 0;
        QTest::newRow("the second") << 100 << 1;
        QTest::newRow("while the cache spills") << 5'000 << 3;
        QTest::newRow("late in the spill") << 5'000 << 40;
    }

    void aRefusedWriteEndsItsTransactionAndNothingElse()
    {
        QFETCH(int, rows);
        QFETCH(int, after);
        insertMany(db(), 0, 10);
        {
            auto transaction = Transaction::begin(db());
            beneath().refuseAfter = after;
            Status done;
            for (int i = 10; i < 10 + rows && done; ++i) {
                auto insert = db().query("INSERT INTO t VALUES (?, zeroblob(2000))");
                done = insert.bind(i).run().transform([](qint64) {});
            }
            beneath().refuseAfter = done ? after : -1; // room again, but not for this one
            if (done)
                done = transaction->commit();
            else
                QVERIFY(!transaction->commit());
            QVERIFY(!done);
            QVERIFY(done.error().kind == ErrorKind::StorageFull);
        }
        beneath().refuseAfter = -1;
        QCOMPARE(count(db()), 10);
        QCOMPARE(count(*m_store->openReader()), 10);
        insertMany(db(), 10, 20);
        QCOMPARE(count(*m_store->openReader()), 30);
        QVERIFY(isWhole(db()));
        QVERIFY(checkpoint(db(), CheckpointMode::Truncate));
        QVERIFY(isWhole(*m_store->openReader()));
    }

    void addressesOfAnyName_data()
    {
        QTest::addColumn<QString>("name");
        for (const QString& name : {u"plain.db"_s, u"100%25 of it?mode=ro#x.db"_s, u"ä ö 日本.db"_s,
                                    u"a&b='c';.db"_s, u"//twice.db"_s})
            QTest::newRow(qPrintable(name)) << name;
    }

    void addressesOfAnyName()
    {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const QString path = folder.path() + u'/' + name;
        const auto made = Connection::open({path}, Access::Writer);
        QVERIFY2(made, qPrintable(made ? QString() : made.error().text()));
        QVERIFY((*made)->execute(u"CREATE TABLE t (n)"_s));
        QVERIFY(QFile::exists(path));
        QVERIFY(walBytes({path}) > 0);
        const QStringList found = QDir(folder.path()).entryList(QDir::Files);
        for (const QString& file : found)
            QVERIFY2(file.startsWith(QFileInfo(path).fileName()), qPrintable(file));
    }

    void aPathThatBeginsTwice()
    {
        const QTemporaryDir folder;
        QVERIFY(Connection::open({u'/' + folder.filePath(u"jobs.db"_s)}, Access::Writer));
        QVERIFY(QFile::exists(folder.filePath(u"jobs.db"_s)));
    }

    void aRelativePath()
    {
        const QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        const bool opened = Connection::open({u"jobs.db"_s}, Access::Writer).has_value();
        QDir::setCurrent(before);
        QVERIFY(opened && QFile::exists(folder.filePath(u"jobs.db"_s)));
    }

private:
    Connection& db() { return m_store->db(); }

    std::unique_ptr<TestStore> m_store;
};

QTEST_GUILESS_MAIN(GatheringLayerTest)
#include "gathering_layer_test.moc"
