#include "core/engine/control_parts.h"

#include "core/engine/endpoint_actions.h"
#include "core/jobs/command_handler.h"
#include "core/jobs/dead_letter_handler.h"
#include "core/jobs/outside_batch_handler.h"
#include "core/jobs/process_file_handler.h"
#include "core/jobs/send_email_handler.h"
#include "core/jobs/url_handler.h"
#include "core/net/network_presence.h"
#include "core/store/queue_store.h"
#include "core/telemetry/telemetry_writer.h"
#include "core/webhooks/fan_out_handler.h"
#include "core/webhooks/recovery.h"

#include <QRandomGenerator>

namespace redrive {

namespace {

// An engine that does not work itself leaves actions to one that does.
std::function<bool()> engineLives(const EngineOptions& options)
{
    if (options.consume)
        return {};
    return [path = options.database.path] { return engine_locks::anyLive(path); };
}

QList<TokenSecret> configuredTokens(const Settings& settings)
{
    QList<TokenSecret> tokens;
    const auto add = [&](const QString& name, qint64 no, TokenScope opens) {
        if (!name.isEmpty())
            tokens.append({bearerTokenHash(settings.secrets.value(name)), no, {}, {}, opens});
    };
    add(settings.intakeTokenSecret, TokenBook::kConfigured, TokenScope::Everything);
    add(settings.ingestTokenSecret, TokenBook::kConfiguredIngest, TokenScope::Ingest);
    return tokens;
}

// Made by the engine that listens, and only where events are taken.
bool makesFirstToken(const EngineOptions& options)
{
    return options.consume && options.listen && !options.settings.telemetryQueue.isEmpty();
}

DispatcherParts dispatcherParts(const ControlContext& context, const EndpointRegistry& endpoints)
{
    DispatcherParts parts{endpoints, context.options.settings.backoff, context.send, context.wake,
                          [] { return QRandomGenerator::global()->generateDouble(); }};
    parts.cancel = context.cancelRequest;
    parts.isCutOff = isCutOff;
    return parts;
}

EndpointRegistry::SecretSource secretSource(const EngineOptions& options)
{
    return [known = options.settings.secrets, later = options.laterSecret](const QString& name) {
        const auto found = known.constFind(name);
        return found == known.constEnd() ? later(name) : *found;
    };
}

} // namespace

ControlParts::ControlParts(const ControlContext& context)
    : m_options(context.options), m_control(context.control), m_endpoints(context.options.settings),
      m_leases(context.options.settings, context.options.database.path, context.options.leaseMs,
               context.counters),
      m_runner(m_registry, context.workers, *context.options.clock, context.options.settings.backoff,
               context.counters, context.wake),
      m_enqueue(context.options.settings, context.counters, context.wake),
      m_ingest(context.options.settings, context.counters, context.wake),
      m_gate({}, engineLives(context.options)), m_steering([this] { m_gate.lookAtStore(); }),
      m_outcomes([this] { m_gate.outcomesNoted(); }),
      m_tokens(context.tokens, configuredTokens(context.options.settings), context.options.keptTokenFile),
      m_sweeper(context.options.settings), m_expiry(context.counters),
      m_retention(context.options.settings.retention, !context.options.settings.archive.dir.isEmpty()),
      m_telemetryRetention(context.options.settings.retention),
      m_consumer(context.options.settings.consumers, context.workers.threads(), m_runner,
                 &context.counters.queues),
      m_deliveries(dispatcherParts(context, m_endpoints)),
      m_endpointKeeper(
          {m_endpoints, [this] { m_deliveries.endpointsChanged(); },
           [this](Cycle& cycle, const EndpointChange& change) { return cancelOpen(cycle, change); },
           context.options.keepSecret, context.options.forgetSecret}),
      m_stops(m_runner, m_deliveries), m_alerts(context.options.settings, context.postAlert, context.wake)
{
    if (context.options.laterSecret)
        m_endpoints.setSecretSource(secretSource(context.options));
    registerHandlers(context.post, context.counters);
    m_gate.setLimits(limitsOf(context.options.settings));
    m_runner.setConsumer(m_consumer);
    m_control.addPart(m_enqueue);
    m_control.addPart(m_ingest);
    m_control.addPart(m_tokens);
    m_control.addPart(m_endpointKeeper);
    m_control.addPart(m_steering);
    m_control.onOutsideChange([this] {
        m_gate.lookAtStore();
        m_tokens.lookAtStore();
        m_endpointKeeper.lookAtStore();
        m_stops.lookAtStore();
        m_consumer.lookAtAll();
        m_expiry.lookNow();
        m_deliveries.lookAgain();
        m_alerts.lookAgain();
    });
    if (!m_options.consume) {
        m_control.addPart(m_gate);
        m_control.addPart(m_turns);
        return;
    }
    m_leases.addRecoverer(
        [](Cycle& cycle, qint64 endedInstanceNo) { return recoverInterrupted(cycle, endedInstanceNo); });
    m_leases.addRecoverer(
        [](Cycle& cycle, qint64 endedInstanceNo) { return AlertKeeper::recover(cycle, endedInstanceNo); });
    m_control.setInstanceNo([this] { return m_leases.instanceNo(); });
    m_control.addPart(m_leases);
    m_control.addPart(m_runner);
    m_control.addPart(m_gate);
    m_control.addPart(m_stops);
    m_control.addPart(m_sweeper);
    m_control.addPart(m_expiry);
    m_control.addPart(m_consumer);
    m_control.addPart(m_deliveries);
    m_control.addPart(m_outcomes);
    m_control.addPart(m_alerts);
    m_control.addPart(m_retention);
    m_control.addPart(m_telemetryRetention);
    m_control.addPart(m_turns);
}

void ControlParts::registerHandlers(const BlockingPost& post, Counters& counters)
{
    const Settings& settings = m_options.settings;
    m_registry.add(u"webhook_fanout"_s,
                   std::make_shared<FanOutHandler>(settings, m_endpoints, &m_deliveries));
    m_registry.add(u"process_file"_s, std::make_shared<ProcessFileHandler>(settings));
    m_registry.add(u"send_email"_s, std::make_shared<SendEmailHandler>(settings, *m_options.clock));
    for (auto handler = settings.handlers.cbegin(); handler != settings.handlers.cend(); ++handler)
        if (!handler->command.isEmpty())
            m_registry.add(handler.key(), std::make_shared<CommandHandler>(*handler));
        else if (!handler->url.isEmpty())
            m_registry.add(handler.key(), std::make_shared<UrlHandler>(*handler, post, *m_options.clock));
    if (m_options.addHandlers)
        m_options.addHandlers(m_registry);
    for (const ConsumerSettings& consumer : settings.consumers)
        if (settings.isDeadLetterQueue(consumer.queue))
            m_runner.setPlainHandler(consumer.queue, std::make_shared<DeadLetterHandler>());
    if (const ConsumerSettings* telemetry = settings.consumer(settings.telemetryQueue);
        telemetry && telemetry->type == ConsumerType::Worker) {
        m_runner.setTurnWriter(telemetry->queue, std::make_shared<TelemetryWriter>(counters));
        if (m_options.consume)
            counters.telemetry.setConsumed();
    }
    for (auto handler = settings.consumerHandlers.cbegin(); handler != settings.consumerHandlers.cend();
         ++handler) {
        if (!handler->command.isEmpty())
            m_runner.setBatchHandler(handler.key(), std::make_shared<CommandBatchHandler>(*handler));
        else
            m_runner.setBatchHandler(handler.key(), std::make_shared<UrlBatchHandler>(*handler, post));
    }
}

Status ControlParts::begin()
{
    return m_control.once([this](Cycle& cycle) -> Status {
        REDRIVE_TRY(makeQueues(cycle));
        if (makesFirstToken(m_options))
            REDRIVE_TRY(m_tokens.makeFirst(cycle));
        REDRIVE_TRY(m_tokens.read(cycle));
        std::optional<QList<EndpointSettings>> configured;
        if (m_options.consume)
            configured = m_options.settings.endpoints;
        REDRIVE_TRY(m_endpointKeeper.begin(cycle, configured));
        return m_options.consume ? m_leases.begin(cycle) : Status();
    });
}

Status ControlParts::makeQueues(Cycle& cycle)
{
    const QStringList names = m_options.settings.queueNames();
    for (const QString& name : names)
        REDRIVE_TRY(queue_store::configure(cycle, name, m_options.settings.queues.value(name)));
    return {};
}

Status ControlParts::cancelOpen(Cycle& cycle, const EndpointChange& change)
{
    REDRIVE_TRY(cancelOpenDeliveries(cycle, m_gate, change));
    cycle.afterCommit.push_back([this] { m_gate.lookAtStore(); });
    return {};
}

Status ControlParts::end()
{
    if (!m_options.consume)
        return {};
    return m_control.once([this](Cycle& cycle) -> Status {
        REDRIVE_TRY(m_consumer.releaseUnstarted(cycle));
        REDRIVE_ASSIGN(allReleased, m_runner.releaseRunning(cycle));
        for (bool nothingLeft = false; !nothingLeft;) {
            REDRIVE_ASSIGN(recovered, recoverInterrupted(cycle, m_leases.instanceNo()));
            nothingLeft = recovered;
        }
        for (bool nothingLeft = false; !nothingLeft;) {
            REDRIVE_ASSIGN(recovered, AlertKeeper::recover(cycle, m_leases.instanceNo()));
            nothingLeft = recovered;
        }
        // An instance that still holds something is not ended: the next engine recovers it.
        return allReleased ? m_leases.end(cycle) : Status();
    });
}

void ControlParts::stopTaking()
{
    m_consumer.stopTaking();
    m_deliveries.beginStop();
    m_alerts.beginStop();
}

bool ControlParts::hasUnwritten() const
{
    return m_enqueue.hasWork(0, 0) || m_ingest.hasWork(0, 0) || m_runner.hasReports() ||
           m_gate.hasIncoming() || m_steering.hasIncoming() || m_tokens.hasIncoming() ||
           m_endpointKeeper.hasIncoming() || m_turns.hasIncoming() || m_deliveries.hasOutcomes() ||
           m_alerts.hasOutcomes();
}

void ControlParts::refuseWaiting()
{
    m_runner.closeInbox();
    m_enqueue.refuseWaiting();
    m_ingest.refuseWaiting();
    m_gate.refuseWaiting();
    m_steering.refuseWaiting();
    m_tokens.refuseWaiting();
    m_endpointKeeper.refuseWaiting();
    m_turns.refuseWaiting();
}

bool ControlParts::isIdle() const
{
    return m_runner.running() == 0 && m_deliveries.isIdle() && m_alerts.isIdle();
}

} // namespace redrive
