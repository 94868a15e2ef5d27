// The engine: builds the parts in order, runs them on their threads and stops them in reverse. start() and
// stop() from the thread that owns it; everything else as EngineApi says.
//
// Threads: control (the store's only writer; every turn of control.h), workers (blocking handlers), sender
// (webhook requests), archive and import (files), reader (read-only connection), intake (HTTP).
#pragma once

#include "core/base/task_loop.h"
#include "core/engine/archiver.h"
#include "core/engine/control_parts.h"
#include "core/engine/intake_adapter.h"
#include "core/engine/letter_importer.h"
#include "core/engine/queue_figures.h"
#include "core/engine/rates.h"
#include "core/engine/store_checker.h"
#include "core/intake/http_server.h"
#include "core/net/http_sender.h"

#include <condition_variable>
#include <future>

namespace redrive {

enum class StopMode {
    Soft, // takes nothing new and waits for what runs, as long as options.drainMs
    Hard, // stops what runs; its attempts are not counted
};

class Engine final : public EngineApi
{
public:
    // Running when it returns. Errors: the store cannot be opened, the port is taken (Conflict), the
    // configuration names something that cannot be used.
    static Result<std::unique_ptr<Engine>> start(EngineOptions options);
    ~Engine() override;

    // Returns when everything has stopped and nothing is leased any more. Idempotent; a second call, also
    // from another thread, with Hard cuts a soft stop short.
    void stop(StopMode mode = StopMode::Soft);
    // After a stop: handlers that ignored it still have their threads. The program should end without taking
    // its static objects down under them.
    bool leftThreadsBehind() const { return !m_workers.givenUp().isEmpty(); }

    void closeList(const QString& slot) override;
    void openList(const QString& slot, ListRequest request,
                  std::function<void(Result<ListSlice>)> onSlice) override;
    void fetchRows(ListKind kind, std::vector<qint64> keys, Reply<ListRows> reply) override;
    void exportList(ExportRequest request, Reply<ExportDone> reply) override;
    void jobDetail(const QString& jobId, Reply<JobDetail> reply) override;
    void deliveryDetail(const QString& deliveryId, Reply<DeliveryDetail> reply) override;
    void deliveryMatrix(const QString& filter, Reply<DeliveryMatrix> reply) override;
    void telemetryPayload(qint64 key, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply) override;
    void telemetryMinutes(qint64 fromMs, qint64 toMs, Reply<TelemetryMinutes> reply) override;
    void letterDetail(qint64 letterNo, Reply<LetterDetail> reply) override;
    void payload(const QString& jobId, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply) override;
    void counts(Reply<StoreCounts> reply) override;
    void submit(SubmitRequest request, Reply<QString> reply) override;
    void plan(ActionRequest request, Reply<ActionPlan> reply) override;
    void act(ActionRequest request, Reply<ActionResult> reply) override;
    void redrives(Reply<QList<RedriveInfo>> reply) override;
    void steer(RedriveOrder order, Reply<RedriveInfo> reply) override;
    void tokens(Reply<QList<TokenRow>> reply) override;
    void changeToken(TokenChange change, Reply<TokenChanged> reply) override;
    void endpoints(Reply<QList<EndpointRow>> reply) override;
    void endpointDetail(const QString& endpointId, Reply<EndpointDetail> reply) override;
    void changeEndpoint(EndpointChange change, Reply<EndpointChanged> reply) override;
    void testEndpoint(const QString& endpointId, Reply<DeliveryAttempt> reply) override;
    void alertTargets(Reply<QList<AlertTargetRow>> reply) override;
    void testAlert(const QString& targetId, Reply<AlertTestResult> reply) override;
    void alertsAfter(qint64 no, Reply<QList<Alert>> reply) override;
    void activityDetail(qint64 key, Reply<ActivityDetail> reply) override;
    void archive(Reply<ArchiveState> reply) override;
    void archiveNow(ArchiveTask task, Reply<ArchiveTaskDone> reply) override;
    void importLetters(ImportRequest request,
                       std::function<void(Result<ImportProgress>)> onProgress) override;
    void stopImports() override;
    void instances(Reply<QList<InstanceInfo>> reply) override;
    EngineHealth health() const override;
    EngineFacts facts() const override;
    int subscribe(std::function<void(const ChangeSet&)> onChange) override;
    void unsubscribe(int handle) override;

private:
    explicit Engine(EngineOptions options, TargetGuard guard);

    Status startThreads();
    Status startIntake();
    Status openStoreAndBuild();
    Result<std::unique_ptr<Connection>> openForThisEngine();
    std::optional<qint64> controlCycle();
    void lookWhetherWritable();
    void leaveControl();
    void stopOnce();
    void drain();
    bool waitUntilIdle(qint64 ms, bool untilForced);
    void wake();
    void storeIsDamaged(const Error& error); // any thread
    Status mayChange() const;
    Status mayWrite() const; // the same, of what goes into the store at once
    // Threads of the archive's; waits for the turn, and so long after it was told to stop.
    Status inTurn(std::function<Status(Cycle&)> work, const std::function<bool()>& isStopping,
                  std::chrono::milliseconds patience);
    template <typename T>
    void onControl(Reply<T> reply, std::function<void(Reply<T>)> work);
    EngineRates rates() const;
    TelemetryFigures telemetryFigures() const;

    EngineOptions m_options;
    Counters m_counters;
    Feed m_feed;
    std::shared_ptr<TokenBook> m_tokens = std::make_shared<TokenBook>();
    WorkerPool m_workers;
    HttpSender m_sender;
    Reader m_reader;
    StoreChecker m_checker;
    Archiver m_archiver;
    LetterImporter m_importer;
    IntakeAdapter m_intakeAdapter;
    HttpServer m_http;
    QueueFigures m_queueFigures;
    mutable Rate m_doneRate;
    mutable Rate m_acceptedRate;
    mutable Rate m_telemetryRate;
    qint64 m_startedAtMs = 0;
    std::atomic<bool> m_running = false;

    // The control thread's own, from the first cycle to the last.
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<Control> m_control;
    std::unique_ptr<ControlParts> m_parts;
    std::promise<Status> m_built;
    bool m_isTried = false; // to build the parts, once
    bool m_isBuilt = false;
    std::optional<Error> m_unwritable;         // why this engine only reads
    qint64 m_nextWritableLookMs = 0;           // steady
    std::atomic<bool> m_writableAgain = false; // any thread

    mutable std::mutex m_mutex; // guards m_draining, m_idle, m_forced
    std::condition_variable m_changed;
    bool m_draining = false;
    bool m_idle = false; // while draining: nothing is left to wait for
    bool m_forced = false;
    std::once_flag m_stopOnce;

    TaskLoop m_loop; // last, so that the control thread ends first
};

} // namespace redrive
