// Handlers that outrun their time limit: asked to stop, then given up, and whatever they do later changes
// nothing.
#include "tests/support/queue_rig.h"

#include <QTest>

#include <latch>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kLimitMs = 30'000;

// Blocks until it is released; heeds a stop when it is polite.
class SlowJob final : public BlockingHandler
{
public:
    explicit SlowJob(bool polite, qint64 limitMs = kLimitMs) : m_polite(polite), m_limitMs(limitMs) {}
    HandlerOutcome run(const ClaimedJob&, const StopSignal& stop) override
    {
        ++begun;
        while (!released && !(m_polite && stop.requested))
            std::this_thread::yield();
        ++ended;
        HandlerOutcome outcome;
        outcome.result = released ? HandlerResult::Done : HandlerResult::Cancelled;
        return outcome;
    }
    qint64 timeLimitMs() const override { return m_limitMs; }

    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    std::atomic<bool> released = false;

private:
    bool m_polite;
    qint64 m_limitMs;
};

Settings jobSettings()
{
    Settings settings;
    settings.consumers = {consumerOf(u"jobs"_s, 10, 0, 1, u"jobs-dlq"_s)};
    settings.jobsQueue = u"jobs"_s;
    return settings;
}

} // namespace

class TimeLimitTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void oneThatHeedsTheStopTimesOut()
    {
        const auto slow = std::make_shared<SlowJob>(true);
        QueueRig rig(jobSettings());
        rig.registry.add(u"slow"_s, std::static_pointer_cast<BlockingHandler>(slow));
        const QString id = rig.enqueue(u"slow"_s);
        QTRY_COMPARE(slow->begun.load(), 1);
        rig.pass(kLimitMs + JobRunner::kStopAfterLimitMs - 1);
        QCOMPARE(slow->ended.load(), 0);
        rig.pass(1);
        QTRY_COMPARE(slow->ended.load(), 1);
        QTRY_VERIFY((rig.settle(), rig.store().number(u"SELECT count(*) FROM job_attempts"_s) == 1));
        QCOMPARE(rig.store().text(u"SELECT outcome || ': ' || error FROM job_attempts"_s),
                 u"timed_out: time limit of 30 s reached"_s);
        QCOMPARE(rig.store().text(u"SELECT status FROM jobs"_s), u"pending"_s);
        QCOMPARE(rig.workers().givenUp(), QStringList());
    }

    void oneThatDoesNotLosesItsThreadAndItsJobIsRetried()
    {
        const auto stuck = std::make_shared<SlowJob>(false);
        QueueRig rig(jobSettings());
        rig.registry.add(u"stuck"_s, std::static_pointer_cast<BlockingHandler>(stuck));
        rig.enqueue(u"stuck"_s);
        QTRY_COMPARE(stuck->begun.load(), 1);
        rig.pass(kLimitMs + JobRunner::kGiveUpAfterLimitMs - 1);
        QCOMPARE(rig.store().text(u"SELECT status FROM jobs"_s), u"processing"_s);
        rig.pass(1);
        QCOMPARE(rig.store().text(u"SELECT status FROM jobs"_s), u"pending"_s);
        QCOMPARE(rig.workers().givenUp().size(), 1);
        rig.pass(15'000); // its retry, on the thread that took the place
        QTRY_COMPARE(stuck->begun.load(), 2);
        QCOMPARE(rig.store().number(u"SELECT attempts FROM jobs"_s), 2);
        stuck->released = true; // both end now, the first far too late
        QTRY_COMPARE(stuck->ended.load(), 2);
        QTRY_VERIFY((rig.settle(), rig.store().text(u"SELECT status FROM jobs"_s) == u"done"));
        QCOMPARE(rig.store().text(u"SELECT group_concat(attempt || ' ' || outcome) FROM job_attempts"_s),
                 u"1 timed_out,2 done"_s);
        QTRY_COMPARE(rig.workers().givenUp(), QStringList());
    }

    void noLimitIsNone()
    {
        const auto slow = std::make_shared<SlowJob>(false, 0);
        QueueRig rig(jobSettings());
        rig.registry.add(u"slow"_s, std::static_pointer_cast<BlockingHandler>(slow));
        rig.enqueue(u"slow"_s);
        QTRY_COMPARE(slow->begun.load(), 1);
        rig.pass(86'400'000);
        QCOMPARE(rig.store().text(u"SELECT status FROM jobs"_s), u"processing"_s);
        slow->released = true;
        QTRY_VERIFY((rig.settle(), rig.store().text(u"SELECT status FROM jobs"_s) == u"done"));
    }
};

QTEST_GUILESS_MAIN(TimeLimitTest)
#include "time_limit_test.moc"
