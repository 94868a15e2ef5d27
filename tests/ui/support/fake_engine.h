// An engine made of tables in memory: answers from a thread of its own, like the real one, or only when told,
// so that a test can look at what a window does meanwhile. Any thread.
#pragma once

#include "core/engine/engine_api.h"

#include <QHash>
#include <QStringList>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace redrive::test {

class FakeEngine final : public EngineApi
{
public:
    FakeEngine();
    ~FakeEngine() override;

    // What it holds. Rows by list and key; a list is the keys in the order given, filtered by nothing.
    void setRows(ListKind kind, std::vector<qint64> keys,
                 std::function<ListRows(const std::vector<qint64>&)> rows);
    void setKeys(ListKind kind, std::vector<qint64> keys);
    void setJobs(const QList<JobRow>& jobs); // keys of ListKind::Jobs in this order
    void setLetters(ListKind kind, const QList<LetterRow>& letters);
    void setDeliveries(const QList<DeliveryRow>& deliveries);
    void setTimers(const QList<TimerRow>& timers);
    void setTelemetry(const QList<TelemetryRow>& rows); // whose payloads are whole
    void setTelemetryMinutes(Result<TelemetryMinutes> minutes);
    void setCounts(StoreCounts counts);
    void setHealth(EngineHealth health);
    void setPlan(ActionPlan plan);
    void setActionResult(ActionResult result);
    void setRedrives(QList<RedriveInfo> redrives);
    void setTokens(QList<TokenRow> tokens);
    void setTokenChanged(Result<TokenChanged> result);
    void setExported(Result<ExportDone> done);
    QList<ExportRequest> exports() const;
    void setMatrix(Result<DeliveryMatrix> matrix);
    QStringList matrixFilters() const;
    void setEndpoints(QList<EndpointDetail> endpoints);
    void setEndpointChanged(Result<EndpointChanged> result);
    void setEndpointTested(Result<DeliveryAttempt> result);
    QList<EndpointChange> endpointChanges() const;
    QStringList endpointTests() const;
    void setInstances(QList<InstanceInfo> instances);
    void setActivity(const QList<ActivityRow>& rows);
    void setActivityDetail(ActivityDetail detail);
    void setAlertTargets(QList<AlertTargetRow> targets);
    void setAlertTested(Result<AlertTestResult> result);
    void setAlerts(QList<Alert> alerts); // newest first
    QStringList alertTests() const;
    void setArchive(ArchiveState state);
    void setArchiveDone(Result<ArchiveTaskDone> done);
    QList<ArchiveTask> archiveTasks() const;
    // What an import says, one after the other: of a preview, and of the import itself.
    void setImport(QList<Result<ImportProgress>> preview, QList<Result<ImportProgress>> import = {});
    QList<ImportRequest> imports() const;
    int importsStopped() const;
    void setFacts(EngineFacts facts);
    void setListError(std::optional<Error> error);
    void setJobDetail(JobDetail detail);
    void setDeliveryDetail(DeliveryDetail detail);
    void setLetterDetail(LetterDetail detail);
    void setPayload(QByteArray payload);
    void setSliceSize(size_t rows);
    // Lists come to no end: after the first `slices` of them they say that so many rows were searched.
    void setSearching(qint64 searchedRows, int slices);
    // Lists break with this error after so many slices.
    void setListBreak(const Error& error, int slices);

    void hold();    // answers wait
    void release(); // and are given, in order
    void announce(const ChangeSet& changes);

    // What it was asked.
    QList<ListRequest> listRequests() const;
    std::vector<std::vector<qint64>> fetches() const;
    QList<ActionRequest> actions() const;
    QList<ActionRequest> plans() const;
    QList<SubmitRequest> submitted() const;
    QList<RedriveOrder> orders() const;
    QList<TokenChange> tokenChanges() const;
    int countsAsked() const;
    QStringList closedLists() const;
    int subscribers() const;
    using MinutesAsked = QList<std::pair<qint64, qint64>>; // from, to
    MinutesAsked minutesAsked() const;

    void openList(const QString& slot, ListRequest request,
                  std::function<void(Result<ListSlice>)> onSlice) override;
    void closeList(const QString& slot) override;
    void fetchRows(ListKind kind, std::vector<qint64> keys, Reply<ListRows> reply) override;
    void jobDetail(const QString& jobId, Reply<JobDetail> reply) override;
    void deliveryDetail(const QString& deliveryId, Reply<DeliveryDetail> reply) override;
    void letterDetail(qint64 letterNo, Reply<LetterDetail> reply) override;
    void payload(const QString& jobId, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply) override;
    void counts(Reply<StoreCounts> reply) override;
    void telemetryPayload(qint64 key, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply) override;
    void telemetryMinutes(qint64 fromMs, qint64 toMs, Reply<TelemetryMinutes> reply) override;
    void submit(SubmitRequest request, Reply<QString> reply) override;
    void plan(ActionRequest request, Reply<ActionPlan> reply) override;
    void act(ActionRequest request, Reply<ActionResult> reply) override;
    void redrives(Reply<QList<RedriveInfo>> reply) override;
    void steer(RedriveOrder order, Reply<RedriveInfo> reply) override;
    void tokens(Reply<QList<TokenRow>> reply) override;
    void changeToken(TokenChange change, Reply<TokenChanged> reply) override;
    void exportList(ExportRequest request, Reply<ExportDone> reply) override;
    void deliveryMatrix(const QString& filter, Reply<DeliveryMatrix> reply) override;
    void endpoints(Reply<QList<EndpointRow>> reply) override;
    void endpointDetail(const QString& endpointId, Reply<EndpointDetail> reply) override;
    void changeEndpoint(EndpointChange change, Reply<EndpointChanged> reply) override;
    void testEndpoint(const QString& endpointId, Reply<DeliveryAttempt> reply) override;
    void instances(Reply<QList<InstanceInfo>> reply) override;
    void alertTargets(Reply<QList<AlertTargetRow>> reply) override;
    void testAlert(const QString& targetId, Reply<AlertTestResult> reply) override;
    void alertsAfter(qint64 no, Reply<QList<Alert>> reply) override;
    void activityDetail(qint64 key, Reply<ActivityDetail> reply) override;
    void archive(Reply<ArchiveState> reply) override;
    void archiveNow(ArchiveTask task, Reply<ArchiveTaskDone> reply) override;
    void importLetters(ImportRequest request,
                       std::function<void(Result<ImportProgress>)> onProgress) override;
    void stopImports() override;
    EngineHealth health() const override;
    EngineFacts facts() const override;
    int subscribe(std::function<void(const ChangeSet&)> onChange) override;
    void unsubscribe(int handle) override;

private:
    struct List
    {
        std::vector<qint64> keys;
        std::function<ListRows(const std::vector<qint64>&)> rows;
    };

    template <typename Row>
    void setTable(ListKind kind, const QList<Row>& rows);
    void later(std::function<void()> task);
    void run();

    mutable std::mutex m_mutex; // guards everything below but the thread
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_tasks;
    bool m_held = false;
    bool m_stopping = false;
    std::map<ListKind, List> m_lists;
    StoreCounts m_counts;
    EngineHealth m_health;
    ActionPlan m_plan;
    ActionResult m_result;
    QList<RedriveInfo> m_redrives;
    QList<RedriveOrder> m_orders;
    QHash<qint64, QByteArray> m_telemetryPayloads;
    Result<TelemetryMinutes> m_telemetryMinutes;
    MinutesAsked m_minutesAsked;
    QList<TokenRow> m_tokens;
    Result<TokenChanged> m_tokenChanged;
    QList<TokenChange> m_tokenChanges;
    Result<ExportDone> m_exported;
    QList<ExportRequest> m_exports;
    Result<DeliveryMatrix> m_matrix;
    QStringList m_matrixFilters;
    QList<EndpointDetail> m_endpoints;
    Result<EndpointChanged> m_endpointChanged;
    Result<DeliveryAttempt> m_endpointTested;
    QList<EndpointChange> m_endpointChanges;
    QStringList m_endpointTests;
    QList<InstanceInfo> m_instances;
    ActivityDetail m_activityDetail;
    QList<AlertTargetRow> m_alertTargets;
    Result<AlertTestResult> m_alertTested;
    QStringList m_alertTests;
    QList<Alert> m_alerts;
    ArchiveState m_archive;
    Result<ArchiveTaskDone> m_archiveDone;
    QList<ArchiveTask> m_archiveTasks;
    QList<Result<ImportProgress>> m_previewed;
    QList<Result<ImportProgress>> m_imported;
    QList<ImportRequest> m_imports;
    int m_importsStopped = 0;
    EngineFacts m_facts;
    std::optional<Error> m_listError;
    JobDetail m_jobDetail;
    DeliveryDetail m_deliveryDetail;
    LetterDetail m_letterDetail;
    QByteArray m_payload;
    size_t m_sliceSize = 1000;
    std::optional<qint64> m_searched;
    int m_slicesFound = 0;
    QStringList m_closedLists;
    QList<ListRequest> m_listRequests;
    std::vector<std::vector<qint64>> m_fetches;
    QList<ActionRequest> m_actions;
    QList<ActionRequest> m_plans;
    QList<SubmitRequest> m_submitted;
    int m_countsAsked = 0;
    std::map<int, std::function<void(const ChangeSet&)>> m_subscribers;
    int m_nextHandle = 1;
    std::thread m_thread;
};

} // namespace redrive::test
