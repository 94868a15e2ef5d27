// The queue side of an engine on a real store, driven turn by turn with a clock that the test moves. One
// thread.
#pragma once

#include "core/engine/control.h"
#include "core/feed/counters.h"
#include "core/jobs/dead_letter_handler.h"
#include "core/jobs/enqueue.h"
#include "core/jobs/job_runner.h"
#include "core/queue/consumer.h"
#include "core/queue/lease_keeper.h"
#include "core/queue/message_expiry.h"
#include "core/queue/send.h"
#include "core/sweep/sweeper.h"
#include "core/telemetry/telemetry_retention.h"
#include "core/telemetry/telemetry_writer.h"
#include "tests/support/manual_clock.h"
#include "tests/support/test_store.h"

#include <QStringList>

namespace redrive::test {

// A batch as its handler saw it.
struct SeenBatch
{
    QString queue;
    QStringList bodies;
    QStringList ids;
    QList<int> attempts;
    qint64 atMs = 0; // since the rig began
};

// Settles batches as the test says and remembers them.
class ScriptedHandler final : public PlainHandler
{
public:
    using Script = std::function<HandlerEnd(const QList<WaitingMessage>&, Settlement&)>;

    ScriptedHandler(const ManualClock& clock, QList<SeenBatch>& seen) : m_clock(clock), m_seen(seen) {}
    void setScript(Script script) { m_script = std::move(script); }
    HandlerEnd handle(Cycle& cycle, const QString& queue, const QList<WaitingMessage>& messages,
                      Settlement& settlement) override;

private:
    const ManualClock& m_clock;
    QList<SeenBatch>& m_seen;
    Script m_script;
};

// A job type that runs inside the turn and answers as the test says.
class ScriptedJob final : public StoreHandler
{
public:
    using Script = std::function<HandlerOutcome(const ClaimedJob&)>;

    explicit ScriptedJob(Script script) : m_script(std::move(script)) {}
    Result<HandlerOutcome> run(const ClaimedJob& job, Cycle&) override { return m_script(job); }

private:
    Script m_script;
};

class QueueRig final
{
public:
    explicit QueueRig(Settings settings, TestStore* store = nullptr);
    ~QueueRig();

    ManualClock clock;
    QList<SeenBatch> batches;
    HandlerRegistry registry;
    Counters counters;

    TestStore& store() { return *m_store; }
    Connection& db() { return *m_db; }
    // Handles the plain messages of a queue by a script; acks all without one.
    void handle(const QString& queue, ScriptedHandler::Script script = {});
    // Handles them on a worker. Before the first use.
    void handleOutside(const QString& queue, std::shared_ptr<BatchHandler> handler);
    void addJob(const QString& type, ScriptedJob::Script script);
    QStringList send(const QString& queue, const QStringList& bodies, std::optional<qint64> callDelayMs = {});
    Result<QStringList> trySend(const QString& queue, const QList<OutgoingMessage>& messages,
                                std::optional<qint64> callDelayMs = {}, qint64 queueDelayMs = 0);
    QString enqueue(const QString& type, const QByteArray& payload = "{}",
                    std::optional<qint64> delayMs = {});
    // Turns until nothing is left to do now.
    void settle();
    // Passes time in steps at which the engine would wake.
    void pass(qint64 ms);
    // Passes it at once, as an engine that has nothing else to do.
    void jump(qint64 ms);
    qint64 sinceStart() const { return clock.steadyMs() - m_startMs; }
    Control& control() { return *m_control; }
    Consumer& consumer() { return *m_consumer; }
    EnqueueInbox& inbox() { return *m_enqueue; }
    WorkerPool& workers() { return *m_workers; }
    LeaseKeeper& leases() { return *m_leases; }
    MessageExpiry& expiry() { return *m_expiry; }
    void start(); // called by the first use
    // Drops the engine as kill -9 would: nothing is written any more.
    void crash();

private:
    Settings m_settings;
    std::unique_ptr<TestStore> m_ownStore;
    TestStore* m_store;
    std::unique_ptr<Connection> m_connection; // when the store is shared
    Connection* m_db;
    Feed m_feed;
    qint64 m_startMs;
    QHash<QString, std::shared_ptr<PlainHandler>> m_plain;
    QHash<QString, std::shared_ptr<BatchHandler>> m_outside;
    std::unique_ptr<WorkerPool> m_workers;
    std::unique_ptr<Control> m_control;
    std::unique_ptr<LeaseKeeper> m_leases;
    std::unique_ptr<JobRunner> m_runner;
    std::unique_ptr<EnqueueInbox> m_enqueue;
    std::unique_ptr<Sweeper> m_sweeper;
    std::unique_ptr<MessageExpiry> m_expiry;
    std::unique_ptr<Consumer> m_consumer;
    std::unique_ptr<TelemetryRetention> m_telemetryRetention;
};

// A consumer with the sizes that the batching cases use: 5 messages, 1 s, 2 retries.
ConsumerSettings consumerOf(const QString& queue, int size = 5, qint64 timeoutMs = 1'000, int retries = 2,
                            const QString& deadLetterQueue = {});

} // namespace redrive::test
