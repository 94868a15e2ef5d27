#include "core/engine/engine.h"

#include "core/engine/engine_facts.h"

#include "core/base/log.h"
#include "core/config/listen_address.h"
#include "core/db/held_data.h"
#include "core/db/migrator.h"
#include "core/engine/known_queues.h"
#include "core/intake/payload_check.h"

#include <thread>

namespace redrive {

namespace {

constexpr qint64 kHardStopMs = 900;
constexpr int kBusyTurnMs = 250;  // a turn waits so long for another process's lock, then looks around again
constexpr int kBusyEndMs = 1'000; // and the last one so long

int workerCount(const Settings& settings)
{
    return settings.workers > 0 ? settings.workers
                                : std::max(4, 2 * int(std::thread::hardware_concurrency()));
}

HttpSenderOptions senderOptions(TargetGuard guard)
{
    HttpSenderOptions options;
    options.guard = std::move(guard);
    return options;
}

} // namespace

Engine::Engine(EngineOptions options, TargetGuard guard)
    : m_options(std::move(options)), m_workers(m_options.consume ? workerCount(m_options.settings) : 0),
      m_sender(senderOptions(std::move(guard))),
      m_reader(*m_options.clock, m_options.database, knownQueues(m_options.settings)),
      m_checker(*m_options.clock, m_options.database),
      m_intakeAdapter(
          {m_reader, [this](Reply<StoreCounts> reply) { counts(std::move(reply)); },
           [this](JobSubmission submission) { m_parts->enqueueInbox().enqueue(std::move(submission)); },
           [this] { return health(); }, [this] { return m_options.clock->wallMs(); }}),
      m_http(*m_options.clock, m_intakeAdapter), m_startedAtMs(m_options.clock->wallMs()),
      m_loop(*m_options.clock)
{
}

Engine::~Engine()
{
    stop(StopMode::Hard);
}

Result<std::unique_ptr<Engine>> Engine::start(EngineOptions options)
{
    const Settings& settings = options.settings;
    if (!settings.intakeTokenSecret.isEmpty() && settings.secrets.value(settings.intakeTokenSecret).isEmpty())
        return fail(ErrorKind::InvalidInput, u"the secret that intake_token names is empty"_s, {},
                    u"intake_token"_s);
    REDRIVE_ASSIGN(
        guard, TargetGuard::make(settings.allowPrivateTargets, !options.listen || staysOnLoopback(settings)));
    std::unique_ptr<Engine> engine(new Engine(std::move(options), std::move(guard)));
    REDRIVE_TRY(engine->startThreads());
    if (engine->m_options.listen)
        REDRIVE_TRY(engine->startIntake());
    engine->m_running = true;
    return engine;
}

Status Engine::startThreads()
{
    m_sender.setResultSink([this](std::vector<HttpOutcome> outcomes) {
        m_parts->deliveries().take(std::move(outcomes));
        wake();
    });
    std::future<Status> built = m_built.get_future();
    m_loop.start(
        "control", [this] { return controlCycle(); }, [this] { leaveControl(); });
    REDRIVE_TRY(built.get());
    m_sender.start();
    const auto damaged = [this](const Error& error) { storeIsDamaged(error); };
    m_reader.setStoreWatch([this] { return m_control->store().watch().check(); }, damaged);
    m_reader.start();
    if (!m_unwritable)
        m_checker.start(damaged);
    return {};
}

Status Engine::startIntake()
{
    const Settings& settings = m_options.settings;
    HttpOptions http;
    http.listen = settings.listen;
    http.listenTls = settings.listenTls;
    http.tls = {settings.tlsCertificate, settings.tlsKey};
    http.insecureListen = settings.insecureListen;
    http.hosts = settings.hosts;
    http.processFileRoots = settings.processFileRoots;
    http.tokens = m_tokens;
    http.access.ratePerSecond = settings.limits.ratePerSecond;
    return m_http.start(http);
}

Result<std::unique_ptr<Connection>> Engine::openForThisEngine()
{
    const qint64 nowMs = m_options.clock->wallMs();
    auto opened = openStore(m_options.database, Access::Writer, nowMs);
    if (!opened && opened.error().kind == ErrorKind::StorageFull) {
        Ballast(m_options.database.path, m_options.ballastBytes).giveBack();
        opened = openStore(m_options.database, Access::Writer, nowMs);
    }
    if (opened || m_options.consume || opened.error().kind != ErrorKind::ReadOnly)
        return opened;
    m_unwritable = opened.error();
    return openStore(m_options.database, Access::Reader, nowMs);
}

Status Engine::openStoreAndBuild()
{
    REDRIVE_ASSIGN(connection, openForThisEngine());
    m_connection = std::move(connection);
    m_control = std::make_unique<Control>(*m_connection, *m_options.clock, m_feed,
                                          m_options.consume ? m_options.ballastBytes : 0);
    const ControlContext context{
        m_options,
        *m_control,
        m_workers,
        m_counters,
        [this] { wake(); },
        [this](std::vector<HttpRequest> requests) { return m_sender.send(std::move(requests)); },
        blockingPost(m_sender),
        m_tokens,
        [this](quint64 token) { m_sender.cancel(token); }};
    m_parts = std::make_unique<ControlParts>(context);
    if (m_unwritable) {
        m_control->store().halt(*m_unwritable);
        return {};
    }
    REDRIVE_TRY(m_parts->begin());
    m_connection->setBusyTimeout(kBusyTurnMs);
    return {};
}

std::optional<qint64> Engine::controlCycle()
{
    if (!m_isBuilt) {
        const Status built = openStoreAndBuild();
        m_isBuilt = built.has_value();
        m_built.set_value(built);
        return m_isBuilt ? std::optional<qint64>(0) : std::nullopt;
    }
    m_parts->enqueueInbox().gather();
    const bool worked = m_control->turn();
    {
        std::lock_guard lock(m_mutex);
        m_idle = m_draining && m_parts->isIdle();
        if (m_idle)
            m_changed.notify_all();
    }
    return worked ? m_options.clock->steadyMs() : m_control->nextDeadline();
}

void Engine::leaveControl()
{
    if (m_isBuilt) {
        m_connection->setBusyTimeout(kBusyEndMs);
        // Open redrives and sweeps are left to the next engine, however much they have to do.
        while (m_parts->hasUnwritten() && m_control->turn()) {
        }
        if (const Status ended = m_parts->end(); !ended)
            logEvent(LogLevel::Error, "end_not_recorded", {{"error", ended.error().text()}});
        m_parts->refuseWaiting();
        if (m_control->store().use() == StoreUse::Everything)
            (void)noteHeldData(*m_connection, m_options.clock->wallMs());
        m_control->checkpoint(true);
    }
    m_connection.reset(); // in its own thread; the parts hold no statements
}

void Engine::storeIsDamaged(const Error& error)
{
    m_loop.post([this, error] { m_control->store().halt(error); });
}

void Engine::wake()
{
    m_loop.post([] {});
}

void Engine::stop(StopMode mode)
{
    if (mode == StopMode::Hard) {
        std::lock_guard lock(m_mutex);
        m_forced = true;
        m_changed.notify_all();
    }
    std::call_once(m_stopOnce, [this] { stopOnce(); });
}

void Engine::stopOnce()
{
    m_http.beginStop();
    if (m_running)
        drain();
    m_running = false;
    m_http.stop();
    m_sender.stop();
    m_loop.stop();
    m_workers.stop();
    m_checker.stop();
    m_reader.stop();
}

void Engine::drain()
{
    m_parts->enqueueInbox().close();
    m_loop.post([this] {
        m_parts->stopTaking();
        std::lock_guard lock(m_mutex);
        m_draining = true; // the turn that follows judges
    });
    m_sender.beginStop();
    if (waitUntilIdle(m_options.drainMs, true))
        return;
    m_loop.post([this] { m_parts->stopHandlers(); });
    m_sender.stop();
    waitUntilIdle(kHardStopMs, false);
}

bool Engine::waitUntilIdle(qint64 ms, bool untilForced)
{
    wake();
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, std::chrono::milliseconds(ms),
                       [&] { return m_idle || (untilForced && m_forced); });
    return m_idle;
}

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

void Engine::jobDetail(const QString& jobId, Reply<JobDetail> reply)
{
    m_reader.jobDetail(jobId, std::move(reply));
}

void Engine::deliveryDetail(const QString& deliveryId, Reply<DeliveryDetail> reply)
{
    m_reader.deliveryDetail(deliveryId, std::move(reply));
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
    const Settings& settings = m_options.settings;
    m_reader.plan(std::move(request), {settings.queueNames(), PayloadRules(settings.processFileRoots)},
                  std::move(reply));
}

Status Engine::mayChange() const
{
    if (m_options.readOnly.isEmpty())
        return {};
    return fail(ErrorKind::Refused, u"the profile '%1' is read-only"_s.arg(m_options.readOnly));
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
    if (const Status allowed = mayChange(); !allowed) {
        reply(fail(allowed.error()));
        return;
    }
    auto shared = std::make_shared<Reply<ActionResult>>(std::move(reply));
    const bool posted = m_running && m_loop.post([this, request = std::move(request), shared] {
        m_parts->gate().submit(request,
                               [shared](Result<ActionResult> result) { (*shared)(std::move(result)); });
    });
    if (!posted)
        (*shared)(fail(ErrorKind::Refused, u"the engine is stopping"_s, u"stopping"_s));
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
    if (const Status allowed = mayChange(); !allowed) {
        reply(fail(allowed.error()));
        return;
    }
    auto shared = std::make_shared<Reply<TokenChanged>>(std::move(reply));
    const bool posted = m_running && m_loop.post([this, change = std::move(change), shared] {
        m_parts->tokens().submit(change,
                                 [shared](Result<TokenChanged> result) { (*shared)(std::move(result)); });
    });
    if (!posted)
        (*shared)(fail(ErrorKind::Refused, u"the engine is stopping"_s, u"stopping"_s));
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

EngineHealth Engine::health() const
{
    EngineHealth health;
    health.running = m_running;
    health.databasePath = m_options.database.path;
    health.workers = m_workers.threads();
    health.startedAtMs = m_startedAtMs;
    health.rates = rates();
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
        health.readOnly = m_unwritable.has_value();
        health.notices = m_control->store().notices();
    }
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
