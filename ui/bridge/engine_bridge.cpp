#include "ui/bridge/engine_bridge.h"

namespace redrive {

namespace {

// Errors that concern the store as a whole, not the question that met them.
bool isStoreProblem(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Busy:
    case ErrorKind::StorageFull:
    case ErrorKind::Corrupt:
    case ErrorKind::ConnectionLost:
        return true;
    default:
        return false;
    }
}

} // namespace

EngineBridge::EngineBridge(EngineApi& engine, Clock& clock, QObject* parent)
    : QObject(parent), m_engine(engine), m_clock(clock), m_mailbox(std::make_shared<Mailbox>(this))
{
    connect(&m_gate, &ChangeGate::passed, this, &EngineBridge::onPassed);
    m_countsPause.setSingleShot(true);
    m_countsPause.setInterval(kCountsIntervalMs);
    connect(&m_countsPause, &QTimer::timeout, this, [this] {
        if (m_countsWanted)
            askCounts();
    });
    connect(&m_safety, &QTimer::timeout, this, &EngineBridge::askCounts);
    m_safety.start(kSafetyIntervalMs);
    connect(&m_healthTimer, &QTimer::timeout, this, &EngineBridge::readHealth);
    m_healthTimer.start(kHealthIntervalMs);

    m_health = m_engine.health();
    m_subscription = m_engine.subscribe(m_gate.inlet());
    askCounts();
}

EngineBridge::~EngineBridge()
{
    m_engine.unsubscribe(m_subscription);
    m_mailbox->close();
}

template <typename T>
Reply<T> EngineBridge::handOver(QObject* context, Answer<T> answer, bool reads)
{
    auto question = std::make_shared<Question<T>>(Question<T>{context, std::move(answer), reads});
    return [this, mailbox = m_mailbox, question](Result<T> result) {
        auto carried = std::make_shared<Result<T>>(std::move(result));
        mailbox->post([this, question, carried] {
            note(*carried ? nullptr : &carried->error(), question->reads);
            if (question->context)
                question->answer(std::move(*carried));
        });
    };
}

void EngineBridge::openList(QObject* context, const QString& slot, ListRequest request,
                            Answer<ListSlice> onSlice)
{
    m_engine.openList(slot, std::move(request), handOver<ListSlice>(context, std::move(onSlice)));
}

void EngineBridge::closeList(const QString& slot)
{
    m_engine.closeList(slot);
}

void EngineBridge::fetchRows(QObject* context, ListKind kind, std::vector<qint64> keys,
                             Answer<ListRows> answer)
{
    m_engine.fetchRows(kind, std::move(keys), handOver<ListRows>(context, std::move(answer)));
}

void EngineBridge::jobDetail(QObject* context, const QString& jobId, Answer<JobDetail> answer)
{
    m_engine.jobDetail(jobId, handOver<JobDetail>(context, std::move(answer)));
}

void EngineBridge::deliveryDetail(QObject* context, const QString& deliveryId, Answer<DeliveryDetail> answer)
{
    m_engine.deliveryDetail(deliveryId, handOver<DeliveryDetail>(context, std::move(answer)));
}

void EngineBridge::letterDetail(QObject* context, qint64 letterNo, Answer<LetterDetail> answer)
{
    m_engine.letterDetail(letterNo, handOver<LetterDetail>(context, std::move(answer)));
}

void EngineBridge::payload(QObject* context, const QString& jobId, qint64 offset, qint64 bytes,
                           Answer<PayloadPiece> answer)
{
    m_engine.payload(jobId, offset, bytes, handOver<PayloadPiece>(context, std::move(answer)));
}

void EngineBridge::telemetryPayload(QObject* context, qint64 key, qint64 offset, qint64 bytes,
                                    Answer<PayloadPiece> answer)
{
    m_engine.telemetryPayload(key, offset, bytes, handOver<PayloadPiece>(context, std::move(answer)));
}

void EngineBridge::telemetryMinutes(QObject* context, qint64 fromMs, qint64 toMs,
                                    Answer<TelemetryMinutes> answer)
{
    m_engine.telemetryMinutes(fromMs, toMs, handOver<TelemetryMinutes>(context, std::move(answer)));
}

void EngineBridge::submit(QObject* context, SubmitRequest request, Answer<QString> answer)
{
    m_engine.submit(std::move(request), handOver<QString>(context, std::move(answer), false));
}

void EngineBridge::plan(QObject* context, ActionRequest request, Answer<ActionPlan> answer)
{
    m_engine.plan(std::move(request), handOver<ActionPlan>(context, std::move(answer)));
}

void EngineBridge::act(QObject* context, ActionRequest request, Answer<ActionResult> answer)
{
    m_engine.act(std::move(request), handOver<ActionResult>(context, std::move(answer), false));
}

void EngineBridge::redrives(QObject* context, Answer<QList<RedriveInfo>> answer)
{
    m_engine.redrives(handOver<QList<RedriveInfo>>(context, std::move(answer)));
}

void EngineBridge::steer(QObject* context, RedriveOrder order, Answer<RedriveInfo> answer)
{
    m_engine.steer(std::move(order), handOver<RedriveInfo>(context, std::move(answer), false));
}

void EngineBridge::tokens(QObject* context, Answer<QList<TokenRow>> answer)
{
    m_engine.tokens(handOver<QList<TokenRow>>(context, std::move(answer)));
}

void EngineBridge::changeToken(QObject* context, TokenChange change, Answer<TokenChanged> answer)
{
    m_engine.changeToken(std::move(change), handOver<TokenChanged>(context, std::move(answer), false));
}

void EngineBridge::exportList(QObject* context, ExportRequest request, Answer<ExportDone> answer)
{
    m_engine.exportList(std::move(request), handOver<ExportDone>(context, std::move(answer), false));
}

void EngineBridge::deliveryMatrix(QObject* context, const QString& filter, Answer<DeliveryMatrix> answer)
{
    m_engine.deliveryMatrix(filter, handOver<DeliveryMatrix>(context, std::move(answer)));
}

void EngineBridge::endpoints(QObject* context, Answer<QList<EndpointRow>> answer)
{
    m_engine.endpoints(handOver<QList<EndpointRow>>(context, std::move(answer)));
}

void EngineBridge::endpointDetail(QObject* context, const QString& endpointId, Answer<EndpointDetail> answer)
{
    m_engine.endpointDetail(endpointId, handOver<EndpointDetail>(context, std::move(answer)));
}

void EngineBridge::changeEndpoint(QObject* context, EndpointChange change, Answer<EndpointChanged> answer)
{
    m_engine.changeEndpoint(std::move(change), handOver<EndpointChanged>(context, std::move(answer), false));
}

void EngineBridge::testEndpoint(QObject* context, const QString& endpointId, Answer<DeliveryAttempt> answer)
{
    m_engine.testEndpoint(endpointId, handOver<DeliveryAttempt>(context, std::move(answer), false));
}

void EngineBridge::instances(QObject* context, Answer<QList<InstanceInfo>> answer)
{
    m_engine.instances(handOver<QList<InstanceInfo>>(context, std::move(answer)));
}

void EngineBridge::alertTargets(QObject* context, Answer<QList<AlertTargetRow>> answer)
{
    m_engine.alertTargets(handOver<QList<AlertTargetRow>>(context, std::move(answer)));
}

void EngineBridge::testAlert(QObject* context, const QString& targetId, Answer<AlertTestResult> answer)
{
    m_engine.testAlert(targetId, handOver<AlertTestResult>(context, std::move(answer), false));
}

void EngineBridge::alertsAfter(QObject* context, qint64 no, Answer<QList<Alert>> answer)
{
    m_engine.alertsAfter(no, handOver<QList<Alert>>(context, std::move(answer)));
}

void EngineBridge::activityDetail(QObject* context, qint64 key, Answer<ActivityDetail> answer)
{
    m_engine.activityDetail(key, handOver<ActivityDetail>(context, std::move(answer)));
}

void EngineBridge::archive(QObject* context, Answer<ArchiveState> answer)
{
    m_engine.archive(handOver<ArchiveState>(context, std::move(answer)));
}

void EngineBridge::archiveNow(QObject* context, ArchiveTask task, Answer<ArchiveTaskDone> answer)
{
    m_engine.archiveNow(task, handOver<ArchiveTaskDone>(context, std::move(answer), false));
}

void EngineBridge::importLetters(QObject* context, ImportRequest request, Answer<ImportProgress> onProgress)
{
    m_engine.importLetters(std::move(request),
                           handOver<ImportProgress>(context, std::move(onProgress), false));
}

void EngineBridge::stopImports()
{
    m_engine.stopImports();
}

void EngineBridge::refresh()
{
    askCounts();
    readHealth();
    ChangeSet everything;
    everything.jobs = everything.deliveries = everything.letters = everything.queues = true;
    everything.everything = true;
    Q_EMIT changed(everything);
}

void EngineBridge::onPassed(const ChangeSet& changes)
{
    m_countsWanted = true;
    if (!m_countsPause.isActive())
        askCounts();
    Q_EMIT changed(changes);
}

void EngineBridge::askCounts()
{
    if (m_countsAsked)
        return;
    m_countsAsked = true;
    m_countsWanted = false;
    m_countsPause.start();
    m_engine.counts(handOver<StoreCounts>(this, [this](Result<StoreCounts> counts) {
        m_countsAsked = false;
        if (counts) {
            m_counts = std::move(*counts);
            Q_EMIT countsChanged(*m_counts);
        }
    }));
}

void EngineBridge::readHealth()
{
    m_health = m_engine.health();
    Q_EMIT healthChanged(m_health);
    announceProblem();
}

void EngineBridge::note(const Error* error, bool reads)
{
    if (error && isStoreProblem(error->kind))
        m_storeProblem = error->text();
    else if (!error && reads)
        m_storeProblem.clear();
    announceProblem();
}

QString EngineBridge::problem() const
{
    if (!m_health.running)
        return m_health.problems.isEmpty()
                   ? tr("The engine has stopped")
                   : tr("The engine has stopped: %1").arg(m_health.problems.join(u"; "_s));
    return m_health.problems.isEmpty() ? m_storeProblem : m_health.problems.join(u"; "_s);
}

void EngineBridge::announceProblem()
{
    const auto now = problem();
    if (now == m_announcedProblem)
        return;
    m_announcedProblem = now;
    Q_EMIT connectionProblem(now);
}

} // namespace redrive
