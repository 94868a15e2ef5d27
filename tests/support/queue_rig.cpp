#include "tests/support/queue_rig.h"

namespace redrive::test {

HandlerEnd ScriptedHandler::handle(Cycle&, const QString& queue, const QList<WaitingMessage>& messages,
                                   Settlement& settlement)
{
    SeenBatch batch;
    batch.queue = queue;
    batch.atMs = m_clock.steadyMs() - 1'000'000;
    for (const WaitingMessage& message : messages) {
        batch.bodies.append(QString::fromUtf8(message.body));
        batch.ids.append(message.id);
        batch.attempts.append(message.attempts + 1);
    }
    m_seen.append(batch);
    return m_script ? m_script(messages, settlement) : HandlerEnd::Returned;
}

QueueRig::QueueRig(Settings settings, TestStore* store)
    : m_settings(std::move(settings)), m_ownStore(store ? nullptr : std::make_unique<TestStore>()),
      m_store(store ? store : m_ownStore.get()), m_connection(store ? store->openWriter() : nullptr),
      m_db(store ? m_connection.get() : &m_store->db()), m_startMs(clock.steadyMs())
{
}

QueueRig::~QueueRig()
{
    crash();
}

void QueueRig::start()
{
    if (m_control)
        return;
    m_workers = std::make_unique<WorkerPool>(4);
    m_control = std::make_unique<Control>(*m_db, clock, m_feed);
    m_leases = std::make_unique<LeaseKeeper>(m_settings, m_store->target().path, 30'000, counters);
    m_runner = std::make_unique<JobRunner>(registry, *m_workers, clock, m_settings.backoff, counters, [] {});
    m_enqueue = std::make_unique<EnqueueInbox>(m_settings, counters, [] {});
    m_sweeper = std::make_unique<Sweeper>(m_settings);
    m_consumer = std::make_unique<Consumer>(m_settings.consumers, 4, *m_runner, &counters.queues);
    m_expiry = std::make_unique<MessageExpiry>(counters);
    m_runner->setConsumer(*m_consumer);
    for (auto handler = m_plain.cbegin(); handler != m_plain.cend(); ++handler)
        m_runner->setPlainHandler(handler.key(), *handler);
    for (auto handler = m_outside.cbegin(); handler != m_outside.cend(); ++handler)
        m_runner->setBatchHandler(handler.key(), *handler);
    if (!m_settings.telemetryQueue.isEmpty())
        m_runner->setTurnWriter(m_settings.telemetryQueue, std::make_shared<TelemetryWriter>(counters));
    m_telemetryRetention = std::make_unique<TelemetryRetention>(m_settings.retention);
    m_control->setInstanceNo([this] { return m_leases->instanceNo(); });
    m_control->onOutsideChange([this] {
        m_consumer->lookAtAll();
        m_expiry->lookNow();
    });
    m_control->addPart(*m_enqueue);
    m_control->addPart(*m_leases);
    m_control->addPart(*m_runner);
    m_control->addPart(*m_sweeper);
    m_control->addPart(*m_expiry);
    m_control->addPart(*m_consumer);
    m_control->addPart(*m_telemetryRetention);
    const Status begun = m_control->once([this](Cycle& cycle) { return m_leases->begin(cycle); });
    if (!begun)
        qFatal("the rig cannot begin: %s", qPrintable(begun.error().text()));
}

void QueueRig::crash()
{
    m_consumer.reset();
    m_telemetryRetention.reset();
    m_expiry.reset();
    m_sweeper.reset();
    m_enqueue.reset();
    m_workers.reset();
    m_runner.reset();
    m_leases.reset();
    m_control.reset();
}

void QueueRig::handle(const QString& queue, ScriptedHandler::Script script)
{
    auto handler = std::make_shared<ScriptedHandler>(clock, batches);
    handler->setScript(std::move(script));
    m_plain.insert(queue, handler);
    if (m_runner)
        m_runner->setPlainHandler(queue, handler);
}

void QueueRig::handleOutside(const QString& queue, std::shared_ptr<BatchHandler> handler)
{
    m_outside.insert(queue, std::move(handler));
}

void QueueRig::addJob(const QString& type, ScriptedJob::Script script)
{
    registry.add(type, std::make_shared<ScriptedJob>(std::move(script)));
}

Result<QStringList> QueueRig::trySend(const QString& queue, const QList<OutgoingMessage>& messages,
                                      std::optional<qint64> callDelayMs, qint64 queueDelayMs)
{
    start();
    QStringList ids;
    REDRIVE_TRY(m_control->once([&](Cycle& cycle) -> Status {
        REDRIVE_ASSIGN(sent, sendMessages(cycle, queue, messages, callDelayMs, queueDelayMs));
        ids = sent;
        return {};
    }));
    m_consumer->lookAtAll();
    settle();
    return ids;
}

QStringList QueueRig::send(const QString& queue, const QStringList& bodies, std::optional<qint64> callDelayMs)
{
    QList<OutgoingMessage> messages;
    for (const QString& body : bodies)
        messages.append({body.toUtf8(), ContentType::Text, {}});
    const Result<QStringList> sent = trySend(queue, messages, callDelayMs);
    if (!sent)
        qFatal("send: %s", qPrintable(sent.error().text()));
    return *sent;
}

QString QueueRig::enqueue(const QString& type, const QByteArray& payload, std::optional<qint64> delayMs)
{
    start();
    const auto id = std::make_shared<QString>(); // the turn may fail, and the answer come later
    JobSubmission submission;
    submission.jobs = {{type, payload, delayMs}};
    submission.reply = [id](Result<EnqueuedJobs> answer) {
        if (!answer)
            qFatal("enqueue: %s", qPrintable(answer.error().text()));
        *id = answer->ids.first();
    };
    m_enqueue->enqueue(std::move(submission));
    settle();
    return *id;
}

void QueueRig::settle()
{
    start();
    while (m_control->turn()) {
    }
}

void QueueRig::pass(qint64 ms)
{
    settle();
    qint64 left = ms;
    while (left > 0) {
        qint64 step = left;
        if (const auto next = m_consumer->nextDeadline())
            step = std::clamp<qint64>(*next - clock.steadyMs(), 1, left);
        clock.advance(step);
        left -= step;
        settle();
    }
}

void QueueRig::jump(qint64 ms)
{
    settle();
    clock.advance(ms);
    settle();
}

ConsumerSettings consumerOf(const QString& queue, int size, qint64 timeoutMs, int retries,
                            const QString& deadLetterQueue)
{
    ConsumerSettings settings;
    settings.queue = queue;
    settings.maxBatchSize = size;
    settings.maxBatchTimeoutMs = timeoutMs;
    settings.maxRetries = retries;
    settings.deadLetterQueue = deadLetterQueue;
    return settings;
}

} // namespace redrive::test
