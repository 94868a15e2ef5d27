// What can still be read of a damaged database, and putting another file into its place.
#include "core/db/store_recovery.h"

#include "core/db/held_data.h"
#include "core/db/migrator.h"
#include "core/db/store_check.h"
#include "core/db/store_files.h"
#include "core/engine/store_rescue.h"
#include "core/store/engine_locks.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kNowMs = 1'935'483'240'000;
const QString kAudited =
    u"SELECT count(*) FROM audit WHERE verb = '%1' AND actor = 'anna' AND source = 'command line' "
    "AND reason = 'a bad disk' AND instr(result, 'what was there is now ') = 1"_s;
const store_rescue::AskedBy kBy{u"anna"_s, u"command line"_s, u"a bad disk"_s};
constexpr int kJobs = 3'000;
constexpr int kPageBytes = 4'096;

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

template <typename T>
QString why(const Result<T>& result)
{
    return result ? QString() : result.error().text();
}

qint64 number(const QString& path, const QString& statement)
{
    auto db = Connection::open({path}, Access::Reader);
    if (!db)
        return -1;
    auto query = (*db)->dynamicQuery(statement);
    return query.next() ? query.int64(0) : -1;
}

} // namespace

class StoreRecoveryTest : public QObject
{
    Q_OBJECT

    // A closed store: jobs with a message and an attempt each, and a table of the user's own.
    static DatabaseTarget makeStore(const QTemporaryDir& folder)
    {
        const DatabaseTarget target{folder.filePath(u"jobs.db"_s)};
        auto store = openStore(target, Access::Writer, kNowMs);
        if (!store)
            return {};
        const auto run = [&](const QString& statement) {
            if (const auto done = (*store)->execute(statement); !done)
                qFatal("%s", qUtf8Printable(done.error().text()));
        };
        const QString numbers =
            u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1) "_s.arg(kJobs);
        run(numbers + u"INSERT INTO jobs (id, type, payload) SELECT printf('%06d', i), 'mail', "
                      "printf('{\"n\":%d,\"of\":9007199254740993}', i) FROM n"_s);
        run(numbers +
            u"INSERT INTO job_attempts (job_id, run, attempt, started_at_ms, finished_at_ms, outcome) "
            "SELECT printf('%06d', i), 1, 1, 1, 2, 'done' FROM n"_s);
        run(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
            "SELECT id, 'jobs', 1, 10, 1, 1 FROM jobs"_s);
        run(u"CREATE TABLE mine (name TEXT, amount REAL)"_s);
        run(u"INSERT INTO mine VALUES ('a', 1.5), (NULL, 2)"_s);
        run(u"DELETE FROM messages WHERE id > '002000'"_s);
        run(u"PRAGMA wal_checkpoint(TRUNCATE)"_s);
        return target;
    }

    static const RecoveredTable* tableOf(const RecoveredStore& store, const QString& name)
    {
        for (const RecoveredTable& table : store.tables)
            if (table.name == name)
                return &table;
        return nullptr;
    }

private Q_SLOTS:
    void aSoundStoreComesOutWhole()
    {
        const QTemporaryDir folder;
        const DatabaseTarget target = makeStore(folder);
        const QByteArray before = read(target.path);
        QVERIFY(!before.isEmpty());
        const auto recovered = store_rescue::recover(target, kNowMs, {}, kBy);
        QVERIFY2(recovered, qPrintable(why(recovered)));
        QCOMPARE(recovered->path, target.path + u".recovered-20310502-101400000"_s);
        for (const RecoveredTable& table : recovered->tables)
            QVERIFY2(table.complete, qPrintable(table.name));
        QCOMPARE(tableOf(*recovered, u"jobs"_s)->rows, kJobs);
        QCOMPARE(tableOf(*recovered, u"mine"_s)->rows, 2);
        QVERIFY(read(target.path) == before);

        auto db = openStore({recovered->path}, Access::Writer);
        QVERIFY2(db, qPrintable(why(db)));
        auto attach = (*db)->dynamicQuery(u"ATTACH ? AS o"_s);
        QVERIFY(attach.bind(target.path).run());
        for (const QString& table : {u"jobs"_s, u"messages"_s, u"job_attempts"_s, u"mine"_s, u"queues"_s,
                                     u"queue_backlog"_s, u"redrive_migrations"_s, u"sqlite_sequence"_s}) {
            auto differ = (*db)->dynamicQuery(
                u"SELECT (SELECT count(*) FROM (SELECT * FROM main.%1 EXCEPT SELECT * FROM o.%1)) + "
                "(SELECT count(*) FROM (SELECT * FROM o.%1 EXCEPT SELECT * FROM main.%1))"_s.arg(table));
            QVERIFY2(differ.next(), qPrintable(table));
            QCOMPARE(differ.int64(0), 0);
        }
        auto schema =
            (*db)->dynamicQuery(u"SELECT count(*) FROM (SELECT type, name, sql FROM o.sqlite_master EXCEPT "
                                "SELECT type, name, sql FROM main.sqlite_master)"_s);
        QVERIFY(schema.next());
        QCOMPARE(schema.int64(0), 0);
    }

    void damage_data()
    {
        QTest::addColumn<int>("at"); // in hundredths of the file; -1: the header
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("leastJobs");
        QTest::newRow("one page early") << 12 << 300 << kJobs - 200;
        QTest::newRow("fifteen pages in the middle") << 50 << 60'000 << 1'000;
        QTest::newRow("the last tenth") << 90 << 40'000 << 1'000;
        QTest::newRow("the header") << -1 << 16 << kJobs;
    }
    void damage()
    {
        QFETCH(int, at);
        QFETCH(int, bytes);
        QFETCH(int, leastJobs);
        const QTemporaryDir folder;
        const DatabaseTarget target = makeStore(folder);
        QByteArray content = read(target.path);
        const qsizetype from = at < 0 ? 0 : content.size() / 100 * at / kPageBytes * kPageBytes;
        content.replace(from, bytes, QByteArray(bytes, '\x5a'));
        write(target.path, content);

        const auto recovered = store_rescue::recover(target, kNowMs, {}, kBy);
        QVERIFY2(recovered, qPrintable(why(recovered)));
        QVERIFY(read(target.path) == content);
        const auto* jobs = tableOf(*recovered, u"jobs"_s);
        QVERIFY(jobs);
        QVERIFY2(jobs->rows >= leastJobs, qPrintable(QString::number(jobs->rows)));
        QCOMPARE(number(recovered->path, u"SELECT count(*) FROM jobs"_s), jobs->rows);
        QCOMPARE(number(recovered->path, u"SELECT count(*) FROM jobs WHERE payload NOT LIKE "
                                         "'{%,\"of\":9007199254740993}' OR type <> 'mail'"_s),
                 0);
        QCOMPARE(number(recovered->path, u"SELECT count(*) FROM queue_backlog b WHERE messages <> "
                                         "(SELECT count(*) FROM messages WHERE queue = b.queue)"_s),
                 0);
        QVERIFY(jobs->rows == kJobs || !jobs->complete); // a page may be an index's, or another table's

        const auto aside = store_rescue::useRecovered(target, recovered->path, kNowMs, kBy);
        QVERIFY2(aside, qPrintable(why(aside)));
        QVERIFY(read(*aside) == content);
        QVERIFY(openStore(target, Access::Writer));
        QCOMPARE(number(target.path, kAudited.arg(u"recover"_s)), 1);
    }

    void halfAFileGivesWhatItHolds()
    {
        const QTemporaryDir folder;
        const DatabaseTarget target = makeStore(folder);
        const QByteArray content = read(target.path);
        write(target.path, content.first(content.size() / 2));
        const auto recovered = store_rescue::recover(target, kNowMs, {}, kBy);
        QVERIFY2(recovered, qPrintable(why(recovered)));
        qint64 rows = 0;
        for (const RecoveredTable& table : recovered->tables)
            rows += table.rows;
        QVERIFY2(rows > 500, qPrintable(QString::number(rows)));
        QVERIFY(openStore({recovered->path}, Access::Writer));
    }

    void withoutItsListOfTablesNothingIsSavedAndItSaysSo()
    {
        const QTemporaryDir folder;
        const DatabaseTarget target = makeStore(folder);
        QByteArray content = read(target.path);
        content.replace(0, kPageBytes, QByteArray(kPageBytes, '\x5a'));
        write(target.path, content);
        const auto recovered = store_rescue::recover(target, kNowMs, {}, kBy);
        QVERIFY(!recovered);
        QCOMPARE(recovered.error().message,
                 u"The list of tables in 'jobs.db' cannot be read any more, so nothing can be saved from it. "
                 "Open a backup instead."_s);
        QVERIFY(read(target.path) == content);
        QVERIFY(QDir(folder.path()).entryList({u"*.recovered-*"_s, u"*.mended-*"_s}).isEmpty());
    }

    void stopsWhenItIsToldTo()
    {
        const QTemporaryDir folder;
        const DatabaseTarget target = makeStore(folder);
        const auto recovered = store_rescue::recover(
            target, kNowMs, [](const QString&, qint64) { return false; }, kBy);
        QVERIFY(!recovered);
        QCOMPARE(recovered.error().kind, ErrorKind::Cancelled);
        QVERIFY(QDir(folder.path()).entryList({u"*.recovered-*"_s}).isEmpty());
    }

    void aBackupTakesThePlaceOfAnEmptiedFile()
    {
        const QTemporaryDir folder;
        const DatabaseTarget target = makeStore(folder);
        const QString backup = target.path + u".backup-1-20310502-101400000"_s;
        QVERIFY(QFile::copy(target.path, backup));
        write(target.path, {});
        const auto refused = openStore(target, Access::Writer);
        QVERIFY(!refused);
        QCOMPARE(refused.error().field, store_trouble::kEmptied);
        const auto found = backupsOf(target);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first().path, backup);
        const auto aside = store_rescue::useBackup(target, found.first().path, kNowMs, kBy);
        QVERIFY2(aside, qPrintable(why(aside)));
        QCOMPARE(QFileInfo(*aside).size(), 0);
        QVERIFY(QFileInfo::exists(backup));
        QVERIFY(openStore(target, Access::Writer));
        QCOMPARE(number(target.path, u"SELECT count(*) FROM jobs"_s), kJobs);
        QCOMPARE(number(target.path, kAudited.arg(u"use-backup"_s)), 1);
        QCOMPARE(number(backup, u"SELECT count(*) FROM audit"_s), 0);
    }

    void whatIsNoSoundStoreTakesNoPlace()
    {
        const QTemporaryDir folder;
        const DatabaseTarget target = makeStore(folder);
        const QByteArray before = read(target.path);
        const QString picture = folder.filePath(u"x.jpg"_s);
        write(picture, "\xff\xd8\xff\xe0 JFIF");
        const auto refused = store_rescue::useBackup(target, picture, kNowMs, kBy);
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, u"'x.jpg' is not a database of this program."_s);
        QByteArray damaged = before;
        damaged.replace(damaged.size() / 2, 60'000, QByteArray(60'000, '\x5a'));
        write(folder.filePath(u"old.db"_s), damaged);
        const auto bad = store_rescue::useBackup(target, folder.filePath(u"old.db"_s), kNowMs, kBy);
        QVERIFY(!bad);
        QVERIFY2(bad.error().message.startsWith(u"'old.db' is damaged"_s), qPrintable(why(bad)));
        QVERIFY(read(target.path) == before);
        QVERIFY(QDir(folder.path()).entryList({u"*.aside-*"_s, u"*.incoming-*"_s}).isEmpty());
    }

    void aNewDatabaseLeavesTheOldOneAndItsLog()
    {
        const QTemporaryDir folder;
        const DatabaseTarget target = makeStore(folder);
        write(target.path, {});
        write(target.path + u"-wal"_s, "what was committed last");
        const auto aside = store_rescue::beginAnew(target, kNowMs, kBy);
        QVERIFY2(aside, qPrintable(why(aside)));
        QCOMPARE(read(*aside + u"-wal"_s), "what was committed last");
        QVERIFY(!QFileInfo::exists(target.path));
        QVERIFY(openStore(target, Access::Writer));
        QCOMPARE(number(target.path, u"SELECT count(*) FROM jobs"_s), 0);
    }

    void nothingIsMovedUnderARunningEngine()
    {
        const QTemporaryDir folder;
        const DatabaseTarget target = makeStore(folder);
        const auto lock = FileLock::tryLock(engine_locks::path(target.path, u"somebody"_s));
        QVERIFY(lock);
        const auto refused = store_rescue::beginAnew(target, kNowMs, kBy);
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, u"an engine is running on 'jobs.db': stop it first"_s);
        QVERIFY(QFileInfo::exists(target.path));
    }
};

QTEST_GUILESS_MAIN(StoreRecoveryTest)
#include "store_recovery_test.moc"
