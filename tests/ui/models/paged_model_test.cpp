// The paged table's logic against an engine made of tables in memory, every model under the tester.
#include "tests/support/manual_clock.h"
#include "tests/ui/support/fake_engine.h"
#include "ui/models/jobs_model.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QTest>

#include <numeric>

using namespace redrive;
using redrive::test::FakeEngine;

namespace {

constexpr int kErrorColumn = 4;

JobRow job(qint64 key, const QString& error = {})
{
    JobRow row;
    row.key = key;
    row.id = u"job-%1"_s.arg(key);
    row.type = u"echo"_s;
    row.error = error;
    return row;
}

QList<JobRow> jobs(std::initializer_list<qint64> keys)
{
    QList<JobRow> rows;
    for (const qint64 key : keys)
        rows.append(job(key));
    return rows;
}

ChangeSet touched(const QString& id)
{
    ChangeSet changes;
    changes.jobs = true;
    changes.touch(id);
    return changes;
}

QList<qint64> keysOf(const PagedTableModel& model)
{
    QList<qint64> keys;
    for (int row = 0; row < model.rowCount(); ++row)
        keys.append(model.keyAt(row));
    return keys;
}

} // namespace

class PagedModelTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_engine = std::make_unique<FakeEngine>();
        m_bridge = std::make_unique<EngineBridge>(*m_engine, m_clock);
        m_model = std::make_unique<JobsModel>(*m_bridge);
        m_tester = std::make_unique<QAbstractItemModelTester>(
            m_model.get(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    }

    void cleanup()
    {
        m_tester.reset();
        m_model.reset();
        m_bridge.reset();
        m_engine.reset();
    }

    void anIdleModelAsksNothing()
    {
        m_model->setFilter(u"status:dead"_s);
        m_model->setVisibleRows(0, 10);
        m_engine->announce(touched(u"x"_s));
        QTest::qWait(30);
        QVERIFY(m_engine->listRequests().isEmpty());
        m_model->setActive(true);
        QTRY_COMPARE(m_engine->listRequests().size(), 1);
        QCOMPARE(m_engine->listRequests().first().filter, u"status:dead"_s);
    }

    void onlyVisibleRowsAreFetched()
    {
        openThousand();
        QCOMPARE(m_model->data(m_model->index(0, 1), Qt::DisplayRole).toString(), u"…"_s);
        QVERIFY(m_model->data(m_model->index(0, 1), PlaceholderRole).toBool());
        QVERIFY(m_engine->fetches().empty());
        m_model->setVisibleRows(100, 130);
        QTRY_COMPARE(m_model->loadedRows(), 31 + 2 * PagedTableModel::kOverscan);
        QCOMPARE(m_engine->fetches().size(), size_t(1));
        QVERIFY(m_model->rowAt(100));
        QVERIFY(!m_model->rowAt(0));
        QCOMPARE(m_model->data(m_model->index(100, 1), Qt::DisplayRole).toString(), u"job-900"_s);
        // Scrolling on asks only for what is missing.
        m_model->setVisibleRows(110, 140);
        QTRY_COMPARE(m_engine->fetches().size(), size_t(2));
        QCOMPARE(m_engine->fetches().back().size(), size_t(10));
    }

    void changedVisibleRowsAreFetchedAgainAndFlash()
    {
        open(jobs({3, 2, 1}));
        QTRY_VERIFY(m_model->rowAt(2));
        QSignalSpy fetched(m_model.get(), &PagedTableModel::rowsFetched);
        auto rows = jobs({3, 2, 1});
        rows[1].error = u"boom"_s;
        m_engine->setJobs(rows);
        m_engine->announce(touched(u"job-2"_s));
        QTRY_COMPARE(fetched.count(), 1);
        QCOMPARE(m_engine->fetches().back(), std::vector<qint64>{2});
        const auto cell = m_model->index(1, kErrorColumn);
        QCOMPARE(cell.data(Qt::DisplayRole).toString(), u"boom"_s);
        QCOMPARE(cell.data(FlashUntilRole).toLongLong(), m_clock.steadyMs() + PagedTableModel::kFlashMs);
        QVERIFY(!m_model->index(1, 1).data(FlashUntilRole).isValid());
        QVERIFY(!m_model->index(0, kErrorColumn).data(FlashUntilRole).isValid());
    }

    void aChangeDuringAFetchIsNotLost()
    {
        open(jobs({1}));
        QTRY_VERIFY(m_model->rowAt(0));
        m_engine->hold();
        auto rows = jobs({1});
        rows[0].error = u"first"_s;
        m_engine->setJobs(rows);
        // Both notices pass the gate while the engine does not answer.
        Q_EMIT m_bridge->changed(touched(u"job-1"_s));
        const auto asked = m_engine->fetches().size();
        Q_EMIT m_bridge->changed(touched(u"job-1"_s));
        QCOMPARE(m_engine->fetches().size(), asked);
        m_engine->release();
        QTRY_COMPARE(m_engine->fetches().size(), asked + 1);
    }

    void foreignChangesAreNotForThisList()
    {
        open(jobs({1}));
        QTRY_VERIFY(m_model->rowAt(0));
        const auto fetches = m_engine->fetches().size();
        ChangeSet changes;
        changes.letters = true;
        changes.touch(u"job-1"_s);
        Q_EMIT m_bridge->changed(changes);
        QTest::qWait(30);
        QCOMPARE(m_engine->fetches().size(), fetches);
    }

    void newRowsMergeByThemselvesUnlessHeld()
    {
        open(jobs({2, 1}));
        m_engine->setJobs(jobs({3, 2, 1}));
        m_engine->announce(touched(u"job-3"_s));
        QTRY_COMPARE(keysOf(*m_model), (QList<qint64>{3, 2, 1}));
        QCOMPARE(m_model->newRows(), 0);

        m_model->setHeld(true);
        m_engine->setJobs(jobs({5, 4, 3, 2, 1}));
        m_engine->announce(touched(u"job-5"_s));
        QTRY_COMPARE(m_model->newRows(), 2);
        QCOMPARE(keysOf(*m_model), (QList<qint64>{3, 2, 1}));
        QCOMPARE(m_model->newSinceMs(), m_clock.wallMs());
        m_model->merge();
        QCOMPARE(keysOf(*m_model), (QList<qint64>{5, 4, 3, 2, 1}));
        QCOMPARE(m_model->newRows(), 0);
    }

    void heldRowsThatLeftStayPaleUntilDropped()
    {
        open(jobs({3, 2, 1}));
        QTRY_VERIFY(m_model->rowAt(2));
        m_model->setHeld(true);
        m_engine->setKeys(ListKind::Jobs, {4, 3, 1});
        m_engine->announce(touched(u"job-2"_s));
        QTRY_COMPARE(m_model->newRows(), 1);
        QCOMPARE(keysOf(*m_model), (QList<qint64>{3, 2, 1}));
        QCOMPARE(m_model->index(1, 1).data(EmphasisRole).toInt(), int(Emphasis::Tertiary));
        m_model->dropGone();
        QTRY_COMPARE(keysOf(*m_model), (QList<qint64>{3, 1}));
        QCOMPARE(m_model->newRows(), 1);
    }

    void lettingGoWhileRowsLeaveMergesAfterwards_data()
    {
        QTest::addColumn<bool>("about");
        QTest::newRow("before they leave") << true;
        QTest::newRow("once they have left") << false;
    }

    // A view that loses its selection, or is scrolled by the change, lets go in the middle of it.
    void lettingGoWhileRowsLeaveMergesAfterwards()
    {
        QFETCH(bool, about);
        open(jobs({6, 5, 4, 3, 2, 1}));
        QTRY_VERIFY(m_model->rowAt(2));
        m_model->setHeld(true);
        const auto letGo = [this] { m_model->setHeld(false); };
        if (about)
            connect(m_model.get(), &QAbstractItemModel::rowsAboutToBeRemoved, this, letGo);
        else
            connect(m_model.get(), &QAbstractItemModel::rowsRemoved, this, letGo);
        QList<JobRow> many;
        for (qint64 key = 90; key > 6; --key)
            many.append(job(key));
        many.append(jobs({5, 3, 1}));
        m_engine->setJobs(jobs({7, 6, 5, 4, 3, 2, 1}));
        m_engine->announce(touched(u"job-7"_s));
        QTRY_COMPARE(m_model->newRows(), 1);
        m_engine->setJobs(many);
        m_engine->announce(touched(u"job-6"_s));
        m_model->dropGone();
        QTRY_COMPARE(m_model->rowCount(), int(many.size()));
        for (int row = 0; row < m_model->rowCount(); ++row)
            QCOMPARE(m_model->keyAt(row), many[row].key);
        QCOMPARE(m_model->newRows(), 0);
    }

    void selectionSurvivesRefreshAndMerge()
    {
        open(jobs({5, 4, 3, 2, 1}));
        QItemSelectionModel selection(m_model.get());
        selection.select(m_model->index(1, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        selection.select(m_model->index(3, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        selection.setCurrentIndex(m_model->index(3, 0), QItemSelectionModel::NoUpdate);
        const auto selectedKeys = [&] {
            QList<qint64> keys;
            for (const auto& index : selection.selectedRows())
                keys.append(m_model->keyAt(index.row()));
            std::sort(keys.begin(), keys.end());
            return keys;
        };
        m_engine->setJobs(jobs({7, 6, 5, 4, 2, 1})); // two more, 3 is gone
        m_engine->announce(touched(u"job-7"_s));
        QTRY_COMPARE(m_model->rowCount(), 6);
        QCOMPARE(selectedKeys(), (QList<qint64>{2, 4}));
        QCOMPARE(m_model->keyAt(selection.currentIndex().row()), 2);
        m_engine->setJobs(jobs({1, 2, 4, 5, 6, 7})); // another order
        m_engine->announce(touched(u"job-7"_s));
        QTRY_COMPARE(keysOf(*m_model), (QList<qint64>{1, 2, 4, 5, 6, 7}));
        QCOMPARE(selectedKeys(), (QList<qint64>{2, 4}));
        QCOMPARE(m_model->keyAt(selection.currentIndex().row()), 2);
    }

    void sortAndFilterAskAnew()
    {
        open(jobs({2, 1}));
        m_model->sort(2, Qt::AscendingOrder);
        QTRY_COMPARE(m_engine->listRequests().back().sort, SortField::Type);
        QVERIFY(m_engine->listRequests().back().ascending);
        const auto asked = m_engine->listRequests().size();
        m_model->sort(1, Qt::AscendingOrder); // an id does not sort
        m_model->sort(2, Qt::AscendingOrder); // nothing new
        QCOMPARE(m_engine->listRequests().size(), asked);
        m_model->setFilter(u"type:echo"_s);
        QTRY_COMPARE(m_model->phase(), ListPhase::Complete);
        QCOMPARE(m_engine->listRequests().back().filter, u"type:echo"_s);
        QCOMPARE(m_engine->listRequests().back().sort, SortField::Type);
    }

    void oldRowsStayUntilNewOnesCome()
    {
        open(jobs({2, 1}));
        m_engine->hold();
        m_model->setFilter(u"x"_s);
        QCOMPARE(m_model->phase(), ListPhase::Waiting);
        QCOMPARE(m_model->rowCount(), 2);
        m_engine->setJobs(jobs({1}));
        m_engine->release();
        QTRY_COMPARE(m_model->phase(), ListPhase::Complete);
        QCOMPARE(m_model->rowCount(), 1);
    }

    void aWrongFilterIsToldAndKeepsTheRows()
    {
        open(jobs({2, 1}));
        m_engine->setListError(Error{ErrorKind::InvalidInput, u"unknown field 'colour'"_s, {}, u"4"_s});
        m_model->setFilter(u"colour:red"_s);
        QTRY_COMPARE(m_model->phase(), ListPhase::Failed);
        QCOMPARE(m_model->error().message, u"unknown field 'colour'"_s);
        QCOMPARE(m_model->rowCount(), 2);
        m_engine->setListError({});
        m_model->setFilter({});
        QTRY_COMPARE(m_model->phase(), ListPhase::Complete);
    }

    void rowsThatAreNotThereAreNotAskedForAgain()
    {
        open(jobs({1}));
        QTRY_VERIFY(m_model->rowAt(0));
        m_engine->setKeys(ListKind::Jobs, {2, 1});
        m_engine->announce(touched(u"job-2"_s));
        QTRY_COMPARE(m_model->rowCount(), 2);
        QTRY_VERIFY(!m_model->index(0, 0).data(PlaceholderRole).toBool());
        const auto fetches = m_engine->fetches().size();
        m_model->setVisibleRows(0, 9);
        QCOMPARE(m_engine->fetches().size(), fetches);
    }

    void aLongListReadsOnlyItsHeadAgain()
    {
        std::vector<qint64> keys(ListReader::kLongList + 10);
        std::iota(keys.rbegin(), keys.rend(), 1);
        m_engine->setSliceSize(20'000);
        m_engine->setKeys(ListKind::Jobs, keys);
        m_model->setActive(true);
        QTRY_COMPARE(m_model->phase(), ListPhase::Complete);
        std::vector<qint64> more(1500);
        std::iota(more.rbegin(), more.rend(), qint64(keys.size()) + 1);
        more.insert(more.end(), keys.begin(), keys.end());
        keys = more;
        m_engine->setKeys(ListKind::Jobs, keys);
        m_engine->announce(touched(u"x"_s));
        QTRY_COMPARE_WITH_TIMEOUT(m_model->rowCount(), int(keys.size()), 10'000);
        const auto requests = m_engine->listRequests();
        QCOMPARE(requests[1].limit, ListReader::kFirstHead);
        QCOMPARE(requests[2].limit, 10 * ListReader::kFirstHead);
        QCOMPARE(requests.size(), 3);
        QCOMPARE(m_model->keyAt(0), keys.front());
    }

    void aStoreThatWasBusyIsAskedAgain()
    {
        m_engine->setJobs(jobs({1}));
        m_engine->setListError(Error{ErrorKind::Busy, u"locked"_s, {}, {}});
        m_model->setActive(true);
        QTRY_COMPARE(m_model->phase(), ListPhase::Failed);
        m_engine->setListError({});
        QTRY_COMPARE_WITH_TIMEOUT(m_model->rowCount(), 1, 2 * ListReader::kPauseMs);
    }

private:
    void open(const QList<JobRow>& rows)
    {
        m_engine->setJobs(rows);
        m_model->setActive(true);
        m_model->setVisibleRows(0, 20);
        QTRY_COMPARE(m_model->phase(), ListPhase::Complete);
        QCOMPARE(m_model->rowCount(), int(rows.size()));
    }

    void openThousand()
    {
        QList<JobRow> rows;
        for (int key = 1000; key > 0; --key)
            rows.append(job(key));
        m_engine->setJobs(rows);
        m_model->setActive(true);
        QTRY_COMPARE(m_model->phase(), ListPhase::Complete);
    }

    test::ManualClock m_clock;
    std::unique_ptr<FakeEngine> m_engine;
    std::unique_ptr<EngineBridge> m_bridge;
    std::unique_ptr<JobsModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

QTEST_GUILESS_MAIN(PagedModelTest)
#include "paged_model_test.moc"
