#include "core/engine/engine.h"

#include "core/base/stopping.h"
#include "core/deadletter/alert_test.h"
#include "core/engine/engine_facts.h"
#include "core/intake/payload_check.h"
#include "core/webhooks/endpoint_test.h"

namespace redrive {

void Engine::openList(const QString& slot, ListRequest request,
                      std::function<void(Result<ListSlice>)> onSlice)
{
    m_reader.openList(slot, std::move(request), std::move(onSlice));
}

void Engine::closeList(const QString& slot)
{
    m_reader.closeList(slot);
}

void Engine::fetchRows(ListKind kind, std::vector<qint64> keys, Reply<ListRows> reply)
{
    m_reader.fetchRows(kind, std::move(keys), std::move(reply));
}

void Engine::exportList(ExportRequest request, Reply<ExportDone> reply)
{
    m_reader.exportList(std::move(request), std::move(reply));
}

void Engine::jobDetail(const QString& jobId, Reply<JobDetail> reply)
{
    m_reader.jobDetail(jobId, std::move(reply));
}

void Engine::deliveryDetail(const QString& deliveryId, Reply<DeliveryDetail> reply)
{
    m_reader.deliveryDetail(deliveryId, std::move(reply));
}

void Engine::deliveryMatrix(const QString& filter, Reply<DeliveryMatrix> reply)
{
    m_reader.deliveryMatrix(filter, std::move(reply));
}

void Engine::telemetryPayload(qint64 key, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply)
{
    m_reader.telemetryPayload(key, offset, bytes, std::move(reply));
}

void Engine::telemetryMinutes(qint64 fromMs, qint64 toMs, Reply<TelemetryMinutes> reply)
{
    m_reader.telemetryMinutes(fromMs, toMs, std::move(reply));
}

void Engine::letterDetail(qint64 letterNo, Reply<LetterDetail> reply)
{
    m_reader.letterDetail(letterNo, std::move(reply));
}

void Engine::payload(const QString& jobId, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply)
{
    m_reader.payload(jobId, offset, bytes, std::move(reply));
}

void Engine::counts(Reply<StoreCounts> reply)
{
    m_reader.counts([this, reply = std::move(reply)](Result<StoreCounts> counts) {
        if (counts)
            m_queueFigures.addTo(*counts, m_counters.queues, m_options.clock->steadyMs());
        reply(std::move(counts));
    });
}

void Engine::plan(ActionRequest request, Reply<ActionPlan> reply)
{
    m_reader.plan(std::move(request), limitsOf(m_options.settings), std::move(reply));
}

Status Engine::mayChange() const
{
    if (m_options.readOnly.isEmpty())
        return {};
    return fail(ErrorKind::Refused, u"the profile '%1' is read-only"_s.arg(m_options.readOnly));
}

// Does the work on the control thread, for whoever may change something; answers once.
template <typename T>
void Engine::onControl(Reply<T> reply, std::function<void(Reply<T>)> work)
{
    if (const Status allowed = mayChange(); !allowed) {
        reply(fail(allowed.error()));
        return;
    }
    auto shared = std::make_shared<Reply<T>>(std::move(reply));
    const bool posted = m_running && m_loop.post([shared, work = std::move(work)] {
        work([shared](Result<T> result) { (*shared)(std::move(result)); });
    });
    if (!posted)
        (*shared)(fail(engineIsStopping()));
}

Status Engine::mayWrite() const
{
    REDRIVE_TRY(mayChange());
    return m_unwritable ? Status(fail(*m_unwritable)) : Status();
}

void Engine::submit(SubmitRequest request, Reply<QString> reply)
{
    if (const Status allowed = mayChange(); !allowed) {
        reply(fail(allowed.error()));
        return;
    }
    if (const Status checked =
            checkPayload(request.type, request.payload, PayloadRules(m_options.settings.processFileRoots));
        !checked) {
        reply(fail(checked.error()));
        return;
    }
    JobSubmission submission;
    submission.jobs.push_back({std::move(request.type), std::move(request.payload), request.delayMs});
    submission.reply = [reply = std::move(reply)](Result<EnqueuedJobs> answer) {
        if (answer)
            reply(answer->ids.first());
        else
            reply(fail(std::move(answer.error())));
    };
    m_parts->enqueueInbox().enqueue(std::move(submission));
}

void Engine::act(ActionRequest request, Reply<ActionResult> reply)
{
    onControl<ActionResult>(std::move(reply), [this, request = std::move(request)](auto answer) {
        m_parts->gate().submit(request, std::move(answer));
    });
}

void Engine::redrives(Reply<QList<RedriveInfo>> reply)
{
    m_reader.redrives(std::move(reply));
}

void Engine::steer(RedriveOrder order, Reply<RedriveInfo> reply)
{
    onControl<RedriveInfo>(std::move(reply), [this, order = std::move(order)](auto answer) {
        m_parts->steering().submit(order, std::move(answer));
    });
}

void Engine::tokens(Reply<QList<TokenRow>> reply)
{
    m_reader.tokens(std::move(reply));
}

void Engine::instances(Reply<QList<InstanceInfo>> reply)
{
    m_reader.instances(std::move(reply));
}

void Engine::changeToken(TokenChange change, Reply<TokenChanged> reply)
{
    onControl<TokenChanged>(std::move(reply), [this, change = std::move(change)](auto answer) {
        m_parts->tokens().submit(change, std::move(answer));
    });
}

void Engine::endpoints(Reply<QList<EndpointRow>> reply)
{
    m_reader.endpoints(std::move(reply));
}

void Engine::endpointDetail(const QString& endpointId, Reply<EndpointDetail> reply)
{
    m_reader.endpointDetail(endpointId, std::move(reply));
}

void Engine::changeEndpoint(EndpointChange change, Reply<EndpointChanged> reply)
{
    onControl<EndpointChanged>(std::move(reply), [this, change = std::move(change)](auto answer) {
        m_parts->endpointKeeper().submit(change, std::move(answer));
    });
}

void Engine::testEndpoint(const QString& endpointId, Reply<DeliveryAttempt> reply)
{
    onControl<DeliveryAttempt>(std::move(reply), [this, endpointId](auto answer) {
        sendTest(m_parts->endpoints().find(endpointId), endpointId, *m_options.clock, m_sender,
                 std::move(answer));
    });
}

void Engine::alertTargets(Reply<QList<AlertTargetRow>> reply)
{
    QList<AlertTargetRow> configured;
    for (const PostTarget& target : postTargets(m_options.settings))
        configured.append(target.row());
    m_reader.alertTargets(configured, std::move(reply));
}

void Engine::testAlert(const QString& targetId, Reply<AlertTestResult> reply)
{
    onControl<AlertTestResult>(std::move(reply), [this, targetId](auto answer) {
        sendAlertTest(m_options.settings, targetId, m_options.clock->wallMs(), m_sender, std::move(answer));
    });
}

void Engine::alertsAfter(qint64 no, Reply<QList<Alert>> reply)
{
    m_reader.alertsAfter(no, std::move(reply));
}

void Engine::activityDetail(qint64 key, Reply<ActivityDetail> reply)
{
    m_reader.activityDetail(key, std::move(reply));
}

void Engine::archive(Reply<ArchiveState> reply)
{
    m_archiver.state(std::move(reply));
}

void Engine::archiveNow(ArchiveTask task, Reply<ArchiveTaskDone> reply)
{
    if (const Status allowed = mayWrite(); !allowed)
        reply(fail(allowed.error()));
    else
        m_archiver.doNow(task, std::move(reply));
}

void Engine::importLetters(ImportRequest request, std::function<void(Result<ImportProgress>)> onProgress)
{
    if (const Status allowed = mayWrite(); !allowed && !request.previews)
        onProgress(fail(allowed.error()));
    else
        m_importer.import(std::move(request), std::move(onProgress));
}

void Engine::stopImports()
{
    m_importer.cancel();
}

EngineRates Engine::rates() const
{
    EngineRates rates;
    rates.accepted = m_counters.accepted;
    rates.done = m_counters.done;
    rates.failed = m_counters.failed;
    rates.dead = m_counters.dead;
    rates.dropped = m_counters.dropped;
    if (m_parts) {
        rates.deliveredOk = m_parts->deliveries().totals().delivered;
        rates.deliveredFailed = m_parts->deliveries().totals().failed;
    }
    const qint64 steadyMs = m_options.clock->steadyMs();
    rates.donePerSecond = m_doneRate.sample(steadyMs, rates.done);
    rates.acceptedPerSecond = m_acceptedRate.sample(steadyMs, rates.accepted);
    return rates;
}

TelemetryFigures Engine::telemetryFigures() const
{
    TelemetryFigures figures = m_counters.telemetry.figures();
    figures.rowsPerSecond = m_telemetryRate.sample(m_options.clock->steadyMs(), figures.rows);
    return figures;
}

EngineHealth Engine::health() const
{
    EngineHealth health;
    health.running = m_running;
    health.databasePath = m_options.database.path;
    health.workers = m_workers.threads();
    health.startedAtMs = m_startedAtMs;
    health.rates = rates();
    health.telemetry = telemetryFigures();
    if (m_running) { // before, the intake thread may ask while this address is still being written
        health.listenUrl = m_http.port() ? u"http://"_s + m_http.address() : QString();
        if (!m_http.tlsAddress().isEmpty())
            health.listenTlsUrl = u"https://"_s + m_http.tlsAddress();
        health.insecureListen = m_http.isInsecure();
        TlsState tls = m_http.tlsState();
        health.certificateEndsAtMs = tls.certificateEndsAtMs;
        health.certificateProblem = std::move(tls.problem);
        if (const auto problem = m_control->store().problem())
            health.problems.append(problem->text());
        health.stalled = !health.problems.isEmpty();
        health.readOnly = m_unwritable.has_value() && !m_writableAgain;
        health.notices = m_control->store().notices();
        if (const qint64 sinceMs = m_parts->deliveries().totals().offlineSinceMs; sinceMs > 0) {
            health.offlineSinceMs = sinceMs;
            health.notices.append(
                u"Offline: no endpoint beyond this machine can be reached; deliveries wait and use up no retries"_s);
        }
        for (const FailingTarget& failing : m_parts->alerts().failing()) {
            health.alertFailures.append({failing.form, failing.place, failing.sinceMs, failing.error});
            health.notices.append(
                u"Alerts do not arrive at %1 (%2): %3"_s.arg(failing.form, failing.place, failing.error));
        }
    }
    if (!health.telemetry.waitsBecause.isEmpty())
        health.notices.append(
            u"Events wait, system_telemetry takes none of them: %1"_s.arg(health.telemetry.waitsBecause));
    health.archive = m_archiver.health();
    if (const auto& problem = health.archive.writing)
        health.notices.append(
            u"Letters that are due for the archive stay: it cannot be written (%1)"_s.arg(problem->why));
    if (const auto& problem = health.archive.copying)
        health.notices.append(u"The archive's files are not copied for now (%1)"_s.arg(problem->why));
    const QStringList givenUp = m_workers.givenUp();
    health.threadsGivenUp = int(givenUp.size());
    for (const QString& thread : givenUp)
        health.notices.append(u"A handler ignores its time limit and was given up (%1)"_s.arg(thread));
    return health;
}

EngineFacts Engine::facts() const
{
    EngineFacts facts = factsOf(m_options.settings);
    facts.databasePath = m_options.database.path;
    return facts;
}

int Engine::subscribe(std::function<void(const ChangeSet&)> onChange)
{
    return m_feed.subscribe(std::move(onChange));
}

void Engine::unsubscribe(int handle)
{
    m_feed.unsubscribe(handle);
}

} // namespace redrive
