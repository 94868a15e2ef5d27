// Cases that others reported of their queues.
#include "core/store/counts_store.h"
#include "core/store/queue_settings.h"
#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

Settings withQueue(int size, qint64 timeoutMs)
{
    Settings settings;
    settings.consumers = {consumerOf(u"q"_s, size, timeoutMs)};
    settings.jobsQueue = u"q"_s;
    return settings;
}

void setPaused(QueueRig& rig, bool paused)
{
    rig.start();
    QVERIFY(rig.control().once([&](Cycle& cycle) {
        return paused ? queue_settings::pause(cycle, u"q"_s, u"anna"_s)
                      : queue_settings::resume(cycle, u"q"_s);
    }));
    rig.consumer().lookAtAll();
    rig.settle();
}

} // namespace

class FieldCasesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // Size 10, time-out 5 s, 150 messages: batches of at most ten, and a failure touches its own batch alone.
    void batchesKeepTheirSize()
    {
        QueueRig rig(withQueue(10, 5'000));
        bool failed = false;
        rig.handle(u"q"_s, [&failed](const QList<WaitingMessage>&, Settlement&) {
            return std::exchange(failed, true) ? HandlerEnd::Returned : HandlerEnd::Failed;
        });
        rig.start();
        setPaused(rig, true);
        for (int i = 0; i < 15; ++i) {
            QStringList bodies;
            for (int j = 0; j < 10; ++j)
                bodies.append(QString::number(i * 10 + j));
            rig.send(u"q"_s, bodies);
        }
        QCOMPARE(rig.batches.size(), 0);
        setPaused(rig, false);
        rig.pass(5'000);
        QCOMPARE(rig.batches.size(), 16); // the one that failed comes again
        QMap<QString, int> deliveries;
        for (const SeenBatch& batch : std::as_const(rig.batches)) {
            QCOMPARE(batch.bodies.size(), 10);
            for (const QString& body : batch.bodies)
                ++deliveries[body];
        }
        QCOMPARE(deliveries.size(), 150);
        for (int i = 0; i < 150; ++i)
            QCOMPARE(deliveries.value(QString::number(i)), i < 10 ? 2 : 1);
    }

    void aPausedQueueRunsNoTimers()
    {
        QueueRig rig(withQueue(5, 0));
        int runs = 0;
        rig.addJob(u"t"_s, [&runs](const ClaimedJob&) {
            ++runs;
            return HandlerOutcome{};
        });
        rig.enqueue(u"t"_s, "{}", 60'000);
        setPaused(rig, true);
        rig.pass(3'600'000);
        QCOMPARE(runs, 0);
        setPaused(rig, false);
        QCOMPARE(runs, 1);
    }

    void aPausedQueueShowsWhatWaits()
    {
        QueueRig rig(withQueue(5, 0));
        setPaused(rig, true);
        for (int i = 0; i < 100; ++i)
            rig.enqueue(u"t"_s);
        CountsStore counter({});
        const auto counts = counter.counts(rig.db(), rig.clock.wallMs(), 0);
        QCOMPARE(counts->queues.size(), 1);
        QCOMPARE(counts->queues[0].waiting, 100);
        QVERIFY(counts->queues[0].paused);
    }
};

QTEST_GUILESS_MAIN(FieldCasesTest)
#include "field_cases_test.moc"
