#include "core/engine/reader.h"

#include "tests/support/test_store.h"

#include <QTest>

#include <atomic>
#include <future>

using namespace redrive;
using namespace std::chrono_literals;

namespace {

template <typename T>
class Answer final
{
public:
    Reply<T> reply()
    {
        return [promise = m_promise](Result<T> result) { promise->set_value(std::move(result)); };
    }
    // Aborts when no answer comes.
    Result<T> wait()
    {
        auto future = m_promise->get_future();
        if (future.wait_for(30s) != std::future_status::ready)
            qFatal("no answer");
        return future.get();
    }

private:
    std::shared_ptr<std::promise<Result<T>>> m_promise = std::make_shared<std::promise<Result<T>>>();
};

// Gathers the slices of one list; wait() returns once it has ended.
class List final
{
public:
    std::function<void(Result<ListSlice>)> onSlice()
    {
        return [state = m_state](Result<ListSlice> slice) {
            if (!slice) {
                state->done.set_value(slice.error().kind);
                return;
            }
            state->keys += slice->keys.size();
            if (slice->last)
                state->done.set_value(std::nullopt);
        };
    }
    std::optional<ErrorKind> wait()
    {
        auto future = m_state->done.get_future();
        if (future.wait_for(30s) != std::future_status::ready)
            qFatal("the list does not end");
        return future.get();
    }
    std::size_t keys() const { return m_state->keys; }

private:
    struct State
    {
        std::promise<std::optional<ErrorKind>> done;
        std::atomic<std::size_t> keys = 0;
    };
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

} // namespace

class ReaderTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_store.emplace();
        m_store->execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO "
            "jobs (id, type, status, queue, payload) SELECT printf('%06d', i), 'mail', 'done', 'jobs', "
            "'{}' FROM n");
        m_store->execute(
            "INSERT INTO dead_letters (kind, subject_id, attempts, reason, sent_at_ms, dead_at_ms, "
            "changed_at_ms) VALUES ('job', '000007', 4, 'retries_used_up', 1, 2, 3)");
        m_reader.emplace(m_clock, m_store->target(), QList<KnownQueue>{{"jobs", true, false, 4}});
        m_reader->start();
    }

    void cleanup()
    {
        m_reader.reset();
        m_store.reset();
    }

    void answers()
    {
        Answer<ListRows> rows;
        m_reader->fetchRows(ListKind::Jobs, {3, 1}, rows.reply());
        const auto found = rows.wait();
        QVERIFY(found);
        const auto& jobs = std::get<QList<JobRow>>(*found);
        QCOMPARE(jobs.size(), 2);
        QCOMPARE(jobs.first().id, QString("000003"));
        QCOMPARE(jobs.first().maxAttempts, 4);

        Answer<JobDetail> job;
        m_reader->jobDetail("000007", job.reply());
        const auto detail = job.wait();
        QVERIFY(detail);
        QVERIFY(detail->letter.has_value());
        QCOMPARE(detail->job.payloadBytes, 2);

        Answer<LetterDetail> letter;
        m_reader->letterDetail(1, letter.reply());
        const auto letterDetail = letter.wait();
        QVERIFY(letterDetail && letterDetail->job);
        QCOMPARE(letterDetail->job->job.id, QString("000007"));

        Answer<PayloadPiece> piece;
        m_reader->payload("000007", 1, 50, piece.reply());
        QCOMPARE(piece.wait()->bytes, QByteArray("}"));

        Answer<StoreCounts> counts;
        m_reader->counts(counts.reply());
        QCOMPARE(counts.wait()->jobs, 20'000);

        Answer<std::optional<QByteArray>> status;
        m_reader->jobStatus("000007", status.reply());
        QVERIFY(status.wait()->value().startsWith("{\"id\":\"000007\""));

        Answer<DeliveryDetail> missing;
        m_reader->deliveryDetail("nope", missing.reply());
        QCOMPARE(missing.wait().error().kind, ErrorKind::NotFound);
    }

    void listsOfSeveralSlotsComeToTheirEnd()
    {
        std::array<List, 5> lists;
        for (int i = 0; i < 5; ++i)
            m_reader->openList(QString::number(i), {ListKind::Jobs, "", SortField::Newest, false, 0},
                               lists[std::size_t(i)].onSlice());
        for (List& list : lists) {
            QVERIFY(!list.wait());
            QCOMPARE(list.keys(), std::size_t(20'000));
        }
    }

    void theLatestRequestOfASlotWins()
    {
        // Held back by a request whose answer blocks, both are there before the first slice is read.
        std::promise<void> go;
        m_reader->counts([future = go.get_future().share()](const Result<StoreCounts>&) { future.wait(); });
        std::atomic<int> early = 0;
        m_reader->openList("jobs", {ListKind::Jobs, "", SortField::Newest, false, 0},
                           [&early](const Result<ListSlice>&) { ++early; });
        List list;
        m_reader->openList("jobs", {ListKind::Jobs, "id:000005", SortField::Newest, false, 0},
                           list.onSlice());
        go.set_value();
        QVERIFY(!list.wait());
        QCOMPARE(list.keys(), std::size_t(1));
        QCOMPARE(early.load(), 0);
    }

    void aClosedListSaysNothingMore()
    {
        std::promise<void> go;
        m_reader->counts([future = go.get_future().share()](const Result<StoreCounts>&) { future.wait(); });
        std::atomic<int> slices = 0;
        m_reader->openList("jobs", {ListKind::Jobs, "", SortField::Newest, false, 0},
                           [&slices](const Result<ListSlice>&) { ++slices; });
        m_reader->closeList("jobs");
        m_reader->closeList("no such list");
        go.set_value();
        List other;
        m_reader->openList("other", {ListKind::Jobs, "", SortField::Newest, false, 0}, other.onSlice());
        QVERIFY(!other.wait());
        QCOMPARE(slices.load(), 0);
    }

    void otherRequestsGoBetweenTheSlices()
    {
        const auto between = std::make_shared<std::promise<std::size_t>>();
        List list;
        // The last slice ends the test, so nothing here is touched after it.
        m_reader->openList(
            "jobs", {ListKind::Jobs, "", SortField::Newest, false, 0},
            [this, between, list, forward = list.onSlice(), asked = false](Result<ListSlice> slice) mutable {
                if (!std::exchange(asked, true))
                    m_reader->counts(
                        [between, list](const Result<StoreCounts>&) { between->set_value(list.keys()); });
                forward(std::move(slice));
            });
        auto keysThen = between->get_future();
        QVERIFY(keysThen.wait_for(30s) == std::future_status::ready);
        QVERIFY(keysThen.get() < std::size_t(20'000));
        QVERIFY(!list.wait());
    }

    void badFiltersAreToldAndHarmNothing()
    {
        List list;
        m_reader->openList("jobs", {ListKind::Jobs, "age:>3x", SortField::Newest, false, 0}, list.onSlice());
        QCOMPARE(list.wait(), std::optional(ErrorKind::InvalidInput));
        Answer<StoreCounts> counts;
        m_reader->counts(counts.reply());
        QVERIFY(counts.wait());
    }

    void opensTheStoreAgainAfterAnError()
    {
        test::TestStore other;
        const DatabaseTarget target{other.folder() + "/later.db"};
        Reader reader(m_clock, target, {});
        reader.start();
        Answer<StoreCounts> early;
        reader.counts(early.reply());
        QCOMPARE(early.wait().error().kind, ErrorKind::NotFound);
        other.execute("VACUUM INTO '" + target.path + "'");
        Answer<StoreCounts> late;
        reader.counts(late.reply());
        QVERIFY(late.wait());
    }

    void afterStopEverythingIsRefused()
    {
        std::promise<void> go;
        m_reader->counts([future = go.get_future().share()](const Result<StoreCounts>&) { future.wait(); });
        List list;
        m_reader->openList("jobs", {ListKind::Jobs, "", SortField::Newest, false, 0}, list.onSlice());
        Answer<StoreCounts> before;
        m_reader->counts(before.reply());
        auto stopping = std::async(std::launch::async, [this] { m_reader->stop(); });
        go.set_value();
        stopping.get();
        QVERIFY(before.wait());
        QCOMPARE(list.wait(), std::optional(ErrorKind::Refused));
        Answer<StoreCounts> after;
        m_reader->counts(after.reply());
        QCOMPARE(after.wait().error().kind, ErrorKind::Refused);
        m_reader->stop();
    }

private:
    SystemClock m_clock;
    std::optional<test::TestStore> m_store;
    std::optional<Reader> m_reader;
};

QTEST_GUILESS_MAIN(ReaderTest)
#include "reader_test.moc"
