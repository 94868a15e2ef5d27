#include "core/engine/engine.h"

#include "core/engine/engine_facts.h"

#include "core/base/log.h"
#include "core/config/listen_address.h"
#include "core/db/held_data.h"
#include "core/db/migrator.h"
#include "core/db/write_probe.h"
#include "core/engine/known_queues.h"
#include "core/intake/payload_check.h"
#include "core/jobs/work_folder.h"

#include <thread>

namespace redrive {

namespace {

constexpr qint64 kHardStopMs = 900;
constexpr qint64 kWritableLookMs = 1'000;
constexpr std::chrono::milliseconds kLookForStop{50};
constexpr std::chrono::milliseconds kLastImportTurn{1'000}; // its record is one more
constexpr int kBusyTurnMs = 250;  // a turn waits so long for another process's lock, then looks around again
constexpr int kBusyEndMs = 1'000; // and the last one so long

int workerCount(const Settings& settings)
{
    return settings.workers > 0 ? settings.workers
                                : std::max(4, 2 * int(std::thread::hardware_concurrency()));
}

Status checkTokenSecret(const Settings& settings, const QString& name, const QString& key)
{
    if (name.isEmpty() || !settings.secrets.value(name).isEmpty())
        return {};
    return fail(ErrorKind::InvalidInput, u"the secret that %1 names is empty"_s.arg(key), {}, key);
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
      m_sender(senderOptions(guard)),
      m_reader(*m_options.clock, m_options.database, knownQueues(m_options.settings)),
      m_checker(*m_options.clock, m_options.database),
      m_archiver(*m_options.clock, m_options.database, m_options.settings, std::move(guard)),
      m_importer(*m_options.clock, m_options.database),
      m_intakeAdapter(
          {m_reader, [this](Reply<StoreCounts> reply) { counts(std::move(reply)); },
           [this](JobSubmission submission) { m_parts->enqueueInbox().enqueue(std::move(submission)); },
           [this](EventSubmission submission) { m_parts->ingestInbox().enqueue(std::move(submission)); },
           [this] { return health(); }, [this] { return m_http.figures(); },
           [this] { return m_options.clock->wallMs(); }, m_options.settings.telemetryQueue}),
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
    REDRIVE_TRY(checkTokenSecret(settings, settings.intakeTokenSecret, u"intake_token"_s));
    REDRIVE_TRY(checkTokenSecret(settings, settings.ingestTokenSecret, u"ingest_token"_s));
    REDRIVE_ASSIGN(
        guard, TargetGuard::make(settings.allowPrivateTargets, !options.listen || staysOnLoopback(settings)));
    std::unique_ptr<Engine> engine(new Engine(std::move(options), std::move(guard)));
    if (engine->m_options.consume) {
        if (const int cleared = WorkFolder::clearAbandoned(); cleared > 0)
            logEvent(LogLevel::Info, "work_folders_cleared", {{"count", QString::number(cleared)}});
    }
    REDRIVE_TRY(engine->startThreads());
    if (engine->m_options.listen)
        REDRIVE_TRY(engine->startIntake());
    engine->m_running = true;
    return engine;
}

Status Engine::startThreads()
{
    m_sender.setResultSink(
        [this](std::vector<HttpOutcome> outcomes) { m_parts->deliveries().take(std::move(outcomes)); });
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
    m_archiver.start(
        [this](std::function<Status(Cycle&)> work) {
            return inTurn(std::move(work), [this] { return m_archiver.isStopping(); }, {});
        },
        m_options.consume && !m_unwritable);
    m_importer.start([this](std::function<Status(Cycle&)> work) {
        return inTurn(
            std::move(work), [this] { return m_importer.isStopping(); }, kLastImportTurn);
    });
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
        [this](HttpRequest request, std::function<void(HttpOutcome)> answer) {
            return m_sender.send(std::move(request), std::move(answer));
        },
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
    if (!m_isTried) {
        m_isTried = true;
        const Status built = openStoreAndBuild();
        m_isBuilt = built.has_value();
        m_built.set_value(built);
        return m_isBuilt ? std::optional<qint64>(0) : std::nullopt;
    }
    if (!m_isBuilt) // the last turn of a start that failed
        return std::nullopt;
    if (m_unwritable)
        lookWhetherWritable();
    m_parts->enqueueInbox().gather();
    m_parts->ingestInbox().gather();
    m_parts->deliveries().gather();
    const bool worked = m_control->turn();
    {
        std::lock_guard lock(m_mutex);
        m_idle = m_draining && m_parts->isIdle();
        if (m_idle)
            m_changed.notify_all();
    }
    return worked ? m_options.clock->steadyMs() : m_control->nextDeadline();
}

// This engine has begun without a writer, so another one must be started then. What the probe finds in the
// log is left to that one.
void Engine::lookWhetherWritable()
{
    const qint64 nowMs = m_options.clock->steadyMs();
    if (m_writableAgain || nowMs < m_nextWritableLookMs)
        return;
    m_nextWritableLookMs = nowMs + kWritableLookMs;
    if (isOnReadOnlyFileSystem(m_options.database))
        return;
    const auto probe = Connection::open(m_options.database, Access::Writer);
    if (!probe)
        return;
    (*probe)->keepLogOnClose();
    m_writableAgain = probeWrite(**probe).has_value();
    if (m_writableAgain)
        logEvent(LogLevel::Notice, "store_writable_again");
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
        m_control->checkpoint(CheckpointMode::Truncate);
    }
    m_connection.reset(); // in its own thread; the parts hold no statements
}

void Engine::storeIsDamaged(const Error& error)
{
    m_loop.post([this, error] { m_control->store().halt(error); });
}

// What it has asked for when it is stopped may still be done, or not: it looks at its next start.
Status Engine::inTurn(std::function<Status(Cycle&)> work, const std::function<bool()>& isStopping,
                      std::chrono::milliseconds patience)
{
    const auto answer = std::make_shared<std::promise<Status>>();
    std::future<Status> answered = answer->get_future();
    const bool posted = m_loop.post([this, answer, work = std::move(work)]() mutable {
        m_parts->turns().submit(std::move(work), [answer](const Result<std::monostate>& done) {
            answer->set_value(done ? Status() : fail(done.error()));
        });
    });
    for (auto left = patience; posted && (!isStopping() || left.count() > 0);) {
        if (answered.wait_for(kLookForStop) == std::future_status::ready)
            return answered.get();
        if (isStopping())
            left -= kLookForStop;
    }
    return fail(ErrorKind::Cancelled, u"the engine is stopping"_s);
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
    m_importer.stop();
    if (m_running)
        drain();
    m_running = false;
    m_http.stop();
    m_archiver.stop();
    m_sender.stop();
    m_loop.stop();
    m_workers.stop();
    m_checker.stop();
    m_reader.stop();
}

void Engine::drain()
{
    m_parts->enqueueInbox().close();
    m_parts->ingestInbox().close();
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

} // namespace redrive
