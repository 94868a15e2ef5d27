#include "core/store/list_store.h"

#include "core/db/migrator.h"
#include "core/store/list_cursors.h"
#include "tests/support/test_store.h"

#include <QTest>

#include <algorithm>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'900'000'000'000;

struct Listed
{
    std::vector<qint64> keys;
    int slices = 0;
    bool cut = false;
    qint64 searched = 0;
};

Listed readAll(Connection& db, const ListRequest& request)
{
    Listed listed;
    auto cursor = ListCursor::open(request, kNow);
    if (!cursor)
        qFatal("%s", qUtf8Printable(cursor.error().text()));
    for (bool last = false; !last;) {
        auto slice = (*cursor)->next(db);
        if (!slice)
            qFatal("%s", qUtf8Printable(slice.error().text()));
        const bool counts = slice->last || !slice->keys.empty();
        if (counts && slice->first != (listed.slices == 0))
            qFatal("first is wrong");
        listed.slices += counts;
        listed.keys.insert(listed.keys.end(), slice->keys.begin(), slice->keys.end());
        listed.cut = slice->cut;
        if (slice->searched < listed.searched)
            qFatal("searched less than before");
        listed.searched = slice->searched;
        last = slice->last;
    }
    return listed;
}

std::vector<qint64> expected(Connection& db, const QString& statement)
{
    std::vector<qint64> keys;
    auto query = db.dynamicQuery(statement);
    while (query.next())
        keys.push_back(query.int64(0));
    if (!query.status())
        qFatal("%s", qUtf8Printable(query.status().error().text()));
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

} // namespace

class ListStoreTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_store.emplace(kNow);
        const auto many = [&](int rows, const QString& insert) {
            m_store->execute(
                QString("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1) ")
                    .arg(rows) +
                insert);
        };
        m_store->execute("BEGIN");
        many(
            30'000,
            "INSERT INTO jobs (id, type, status, queue, attempts, due_at_ms, created_at_ms, updated_at_ms, "
            "error) SELECT printf('%08d', i * 7919 % 100003), 'type' || (i % 7), CASE WHEN i % 100 < 4 THEN "
            "'pending' WHEN i % 100 = 4 THEN 'processing' WHEN i % 100 < 10 THEN 'dead' ELSE 'done' END, "
            "'queue' || (i % 3), i % 5, CASE WHEN i % 100 < 2 THEN 1900000000000 + i * 37 % 1000 END, i, i * "
            "31 % 10007, CASE WHEN i % 100 BETWEEN 5 AND 9 THEN 'error ' || (i % 11) END FROM n");
        many(5'000,
             "INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, attempts, due_at_ms, "
             "instance_no, created_at_ms) SELECT printf('%08d', i * 7919 % 100003), 'ep' || (i % 4), 'ev' || "
             "(i "
             "% 3), CASE i % 10 WHEN 0 THEN 'failed' WHEN 1 THEN 'pending' WHEN 2 THEN 'sending' WHEN 3 THEN "
             "'held' WHEN 4 THEN 'dead' ELSE 'delivered' END, i % 6, CASE WHEN i % 10 < 2 THEN 1900000000000 "
             "+ "
             "i * 53 % 1000 END, CASE WHEN i % 10 = 2 THEN 1 END, i FROM n");
        many(
            3'000,
            "INSERT INTO dead_letters (kind, subject_id, state, type, attempts, reason, sent_at_ms, "
            "dead_at_ms, changed_at_ms) SELECT 'job', printf('%08d', i), CASE i % 3 WHEN 0 THEN 'open' WHEN "
            "1 "
            "THEN 'discarded' ELSE 'requeued' END, 't' || (i % 5), i % 4, 'r', i, i * 17 % 500, i * 19 % 500 "
            "FROM n");
        m_store->execute("COMMIT");
    }

    void givesEveryRowInOrder_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("sort");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("ascending");
        QTest::addColumn<QString>("descending");
        const auto row = [](const char* name, ListKind kind, SortField sort, const char* filter,
                            const char* select, const char* order) {
            const QString base = QString(select) + " ORDER BY ";
            QTest::newRow(name) << int(kind) << int(sort) << QString(filter) << base + QString(order)
                                << base + QString(order).replace(",", " DESC,") + " DESC";
        };
        row("jobs", ListKind::Jobs, SortField::Newest, "", "SELECT rowid FROM jobs", "id");
        row("jobs, filtered", ListKind::Jobs, SortField::Newest, "type:type3",
            "SELECT rowid FROM jobs WHERE type = 'type3'", "id");
        row("jobs, rare", ListKind::Jobs, SortField::Newest, "id:00000042",
            "SELECT rowid FROM jobs WHERE id = '00000042'", "id");
        row("jobs, none", ListKind::Jobs, SortField::Newest, "id:nope", "SELECT rowid FROM jobs WHERE 0",
            "id");
        row("jobs, dead", ListKind::Jobs, SortField::Newest, "status:dead",
            "SELECT rowid FROM jobs WHERE status = "
            "'dead'",
            "id");
        row("jobs, pending", ListKind::Jobs, SortField::Newest, "status:pending queue:queue1",
            "SELECT rowid FROM jobs WHERE status = 'pending' AND queue = 'queue1'", "id");
        row("letters", ListKind::DeadLetters, SortField::Newest, "",
            "SELECT no FROM dead_letters WHERE state = 'open'", "dead_at_ms, no");
        row("bin", ListKind::Bin, SortField::Newest, "type:t1",
            "SELECT no FROM dead_letters WHERE state = 'discarded' "
            "AND type = 't1'",
            "changed_at_ms, no");
        row("deliveries", ListKind::Deliveries, SortField::Newest, "", "SELECT rowid FROM webhook_deliveries",
            "id");
        row("deliveries, dead", ListKind::Deliveries, SortField::Newest, "status:dead",
            "SELECT rowid FROM webhook_deliveries WHERE status = 'dead'", "id");
    }

    void givesEveryRowInOrder()
    {
        QFETCH(int, kind);
        QFETCH(int, sort);
        QFETCH(QString, filter);
        QFETCH(QString, ascending);
        QFETCH(QString, descending);
        for (const bool up : {true, false}) {
            const ListRequest request{ListKind(kind), filter, SortField(sort), up, 0};
            const auto listed = readAll(m_store->db(), request);
            const auto wanted = expected(m_store->db(), up ? ascending : descending);
            QCOMPARE(listed.keys.size(), wanted.size());
            QVERIFY(listed.keys == wanted);
            QVERIFY(!listed.cut);
        }
    }

    void timersOfBothTablesAreMerged()
    {
        for (const bool up : {true, false}) {
            const auto listed = readAll(m_store->db(), {ListKind::Timers, "", SortField::Due, up, 0});
            const QString all =
                "SELECT rowid * 2 AS k, due_at_ms AS due FROM jobs WHERE due_at_ms IS NOT NULL UNION "
                "ALL SELECT rowid * 2 + 1, due_at_ms FROM webhook_deliveries WHERE status = 'failed'";
            auto keys = expected(m_store->db(), QString("SELECT k FROM (%1) ORDER BY due").arg(all));
            QCOMPARE(listed.keys.size(), keys.size());
            QHash<qint64, qint64> due;
            auto query = m_store->db().dynamicQuery(all);
            while (query.next())
                due.insert(query.int64(0), query.int64(1));
            for (std::size_t i = 1; i < listed.keys.size(); ++i) {
                const qint64 before = due.value(listed.keys[i - 1]);
                const qint64 after = due.value(listed.keys[i]);
                QVERIFY(up ? before <= after : before >= after);
            }
            auto sorted = listed.keys;
            std::sort(sorted.begin(), sorted.end());
            std::sort(keys.begin(), keys.end());
            QVERIFY(sorted == keys);
        }
    }

    void sortsOpenAndDeadRowsAndTheNewestFinished()
    {
        const auto listed = readAll(m_store->db(), {ListKind::Jobs, "", SortField::Updated, true, 0});
        QVERIFY(listed.cut);
        const auto wanted = expected(m_store->db(), "SELECT rowid FROM (SELECT rowid, id, updated_at_ms FROM "
                                                    "jobs WHERE status <> 'done' UNION ALL SELECT * "
                                                    "FROM (SELECT rowid, id, updated_at_ms FROM jobs WHERE "
                                                    "status = 'done' ORDER BY id DESC LIMIT 10000)) "
                                                    "ORDER BY updated_at_ms, rowid DESC");
        QCOMPARE(listed.keys.size(), wanted.size());
        QVERIFY(listed.keys == wanted);
    }

    void sorts_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("sort");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("statement");
        const auto row = [](const char* name, ListKind kind, SortField sort, const char* filter,
                            const char* statement) {
            QTest::newRow(name) << int(kind) << int(sort) << QString(filter) << QString(statement);
        };
        row("type", ListKind::Jobs, SortField::Type, "status:dead",
            "SELECT rowid FROM jobs WHERE status = 'dead' ORDER BY type, rowid DESC");
        row("queue", ListKind::Jobs, SortField::Queue, "status:pending",
            "SELECT rowid FROM jobs WHERE status = 'pending' ORDER BY queue, rowid DESC");
        row("attempts", ListKind::Jobs, SortField::Attempts, "-status:done",
            "SELECT rowid FROM jobs WHERE status <> 'done' ORDER BY attempts, rowid DESC");
        row("error", ListKind::Jobs, SortField::Error, "error:error",
            "SELECT rowid FROM jobs WHERE error IS NOT NULL ORDER BY error, rowid DESC");
        row("state", ListKind::Jobs, SortField::State, "queue:queue0 -status:done",
            "SELECT rowid FROM jobs WHERE status <> 'done' AND queue = 'queue0' ORDER BY status, rowid DESC");
        row("endpoint", ListKind::Deliveries, SortField::Endpoint, "",
            "SELECT rowid FROM webhook_deliveries ORDER BY endpoint_id, rowid DESC");
        row("delivery state", ListKind::Deliveries, SortField::State, "",
            "SELECT rowid FROM webhook_deliveries ORDER BY status, rowid DESC");
        row("letter attempts", ListKind::DeadLetters, SortField::Attempts, "",
            "SELECT no FROM dead_letters WHERE state = 'open' ORDER BY attempts, no DESC");
        row("timers by type", ListKind::Timers, SortField::Type, "",
            "SELECT k FROM (SELECT rowid * 2 AS k, type AS t FROM jobs WHERE due_at_ms IS NOT NULL UNION ALL "
            "SELECT "
            "rowid * 2 + 1, event_type FROM webhook_deliveries WHERE status = 'failed') ORDER BY t, k DESC");
    }

    void sorts()
    {
        QFETCH(int, kind);
        QFETCH(int, sort);
        QFETCH(QString, filter);
        QFETCH(QString, statement);
        const auto listed = readAll(m_store->db(), {ListKind(kind), filter, SortField(sort), true, 0});
        QVERIFY(listed.keys == expected(m_store->db(), statement));
        QVERIFY(!listed.cut);
    }

    void keepsToTheLimit()
    {
        for (const SortField sort : {SortField::Newest, SortField::Type}) {
            const auto all = readAll(m_store->db(), {ListKind::Jobs, "", sort, false, 0});
            for (const int limit : {1, 999, 1'000, 1'001, 5'000}) {
                const auto some = readAll(m_store->db(), {ListKind::Jobs, "", sort, false, limit});
                QCOMPARE(some.keys.size(), std::size_t(limit));
                QVERIFY(std::equal(some.keys.begin(), some.keys.end(), all.keys.begin()));
            }
        }
    }

    void firstRowsComeAtOnce()
    {
        auto cursor = ListCursor::open({ListKind::Jobs, "", SortField::Newest, false, 0}, kNow);
        QVERIFY(cursor);
        const auto slice = (*cursor)->next(m_store->db());
        QVERIFY(slice);
        QCOMPARE(slice->keys.size(), std::size_t(1'000));
        QVERIFY(slice->first && !slice->last);
    }

    void howFarTheSearchHasComeIsTold()
    {
        const qint64 jobs = m_store->number(u"SELECT count(*) FROM jobs"_s);
        QVERIFY(jobs > 1'000);
        for (const SortField sort : {SortField::Newest, SortField::Type}) {
            const auto none =
                readAll(m_store->db(), {ListKind::Jobs, "error:\"there is no such\"", sort, false, 0});
            QVERIFY(none.keys.empty());
            QVERIFY2(none.searched >= jobs, qPrintable(QString::number(none.searched)));
        }
    }

    void emptyListsEnd()
    {
        test::TestStore empty(kNow);
        for (const ListKind kind : {ListKind::Jobs, ListKind::Timers, ListKind::DeadLetters, ListKind::Bin,
                                    ListKind::Deliveries, ListKind::Activity, ListKind::Telemetry}) {
            for (const SortField sort :
                 {SortField::Newest, SortField::Due, SortField::Updated, SortField::Type, SortField::Queue,
                  SortField::Attempts, SortField::Error, SortField::State, SortField::Endpoint}) {
                const auto listed = readAll(empty.db(), {kind, "x status:dead", sort, false, 0});
                QVERIFY(listed.keys.empty());
                QCOMPARE(listed.slices, 1);
            }
        }
    }

    void oddRowsBreakNothing()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath("d1.sqlite")};
        {
            auto own = Connection::open(target, Access::Writer);
            QVERIFY(own);
            QVERIFY((*own)->execute(
                "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT, status TEXT, payload, error, "
                "created_at, updated_at)"));
            QVERIFY((*own)->execute(
                "INSERT INTO jobs VALUES ('a', NULL, NULL, NULL, NULL, NULL, NULL), ('b', 5, "
                "'what?', x'00ff', x'fe', 'never', '2024-05-01 10:00:00'), (NULL, 'x', 'pending', "
                "1, 1, 1.5, -1), (17, 'y', 'PENDING', 2e300, '', 9e18, 1), (x'ff', 'z', 'dead', "
                "'', '', 1, 1)"));
        }
        auto store = openStoreOf(target);
        for (const SortField sort : {SortField::Newest, SortField::Due, SortField::Updated, SortField::Type,
                                     SortField::Error, SortField::State}) {
            for (const bool up : {true, false}) {
                const auto listed = readAll(*store, {ListKind::Jobs, "", sort, up, 0});
                QVERIFY2(listed.keys.size() >= 3, qPrintable(QString::number(int(sort))));
            }
        }
    }

    // With a million rows the same statements run: what matters is that each seeks in an index and sorts
    // nothing.
    void statementsUseTheIndexes_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("indexes");
        const QString jobIds = "sqlite_autoindex_jobs_1";
        const QString deliveryIds = "sqlite_autoindex_webhook_deliveries_1";
        QTest::newRow("jobs") << int(ListKind::Jobs) << "" << QStringList{jobIds};
        QTest::newRow("jobs by type") << int(ListKind::Jobs) << "type:mail*" << QStringList{jobIds};
        QTest::newRow("jobs by error")
            << int(ListKind::Jobs) << "error:x -type:y OR z" << QStringList{jobIds};
        QTest::newRow("jobs pending") << int(ListKind::Jobs) << "status:pending" << QStringList{"jobs_open"};
        QTest::newRow("jobs dead") << int(ListKind::Jobs) << "status:dead type:x" << QStringList{"jobs_dead"};
        QTest::newRow("timers") << int(ListKind::Timers) << ""
                                << QStringList{"jobs_due", "webhook_deliveries_due"};
        QTest::newRow("letters") << int(ListKind::DeadLetters) << "" << QStringList{"dead_letters_open"};
        QTest::newRow("bin") << int(ListKind::Bin) << "x" << QStringList{"dead_letters_bin"};
        QTest::newRow("activity") << int(ListKind::Activity) << "by:anna type:x OR kind:alert"
                                  << QStringList{"audit_at", "alerts_at"};
        QTest::newRow("deliveries") << int(ListKind::Deliveries) << "endpoint:x" << QStringList{deliveryIds};
        QTest::newRow("deliveries dead")
            << int(ListKind::Deliveries) << "status:dead" << QStringList{"webhook_deliveries_dead"};
    }

    void statementsUseTheIndexes()
    {
        QFETCH(int, kind);
        QFETCH(QString, filter);
        QFETCH(QStringList, indexes);
        const auto parsed = parseFilter(filter);
        QVERIFY(parsed);
        const auto sources = orderedSources(ListKind(kind), parsed->root);
        QCOMPARE(sources.size(), std::size_t(indexes.size()));
        for (std::size_t i = 0; i < sources.size(); ++i) {
            for (const bool up : {true, false}) {
                SourceScan scan(sources[i], filterSql(parsed->root, sources[i].table, kNow), up);
                for (int step = 0; step < 2; ++step) {
                    const QString boundary = planOf(m_store->db(), scan.boundaryStatement());
                    const QString match = planOf(m_store->db(), scan.matchStatement(true));
                    QVERIFY2(boundary.contains(indexes[qsizetype(i)]), qPrintable(boundary));
                    QVERIFY2(match.startsWith("SEARCH") && match.contains(indexes[qsizetype(i)]),
                             qPrintable(match));
                    QVERIFY2(!match.contains("TEMP B-TREE"), qPrintable(match));
                    // A second lower bound would be the one that is sought by.
                    QVERIFY(up || !scan.matchStatement(true).contains(">= ''"));
                    QVERIFY(!up || step == 0 || !scan.boundaryStatement().contains(">= ''"));
                    QVERIFY(scan.step(m_store->db(), 10, [](qint64, const Query&) {}));
                }
            }
        }
    }

private:
    static std::unique_ptr<Connection> openStoreOf(const DatabaseTarget& target);

    std::optional<test::TestStore> m_store;
};

std::unique_ptr<Connection> ListStoreTest::openStoreOf(const DatabaseTarget& target)
{
    auto store = openStore(target, Access::Writer, kNow);
    if (!store)
        qFatal("%s", qUtf8Printable(store.error().text()));
    return std::move(*store);
}

QTEST_GUILESS_MAIN(ListStoreTest)
#include "list_store_test.moc"
