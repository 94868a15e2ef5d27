// The reader thread: a read-only connection of its own that answers what the console and GET /jobs/{id} ask.
// Lists are read in slices with other requests between them. Calls return at once and may come from any
// thread; answers come on the reader thread, after stop() on the caller's. After an error of the connection
// the next request opens the store again.
#pragma once

#include "core/base/task_loop.h"
#include "core/db/connection.h"
#include "core/engine/action_plan.h"
#include "core/engine/engine_api.h"
#include "core/engine/list_export.h"
#include "core/store/counts_store.h"
#include "core/store/job_read_store.h"
#include "core/store/list_store.h"
#include "core/store/telemetry_tally.h"

#include <map>

namespace redrive {

class Reader final
{
public:
    Reader(Clock& clock, DatabaseTarget target, const QList<KnownQueue>& queues);
    ~Reader(); // stops
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    // Before start(). `mayOpen`: whether the store is still the file that it was; `onDamage` hears of damage
    // that reading met, on the reader thread.
    void setStoreWatch(std::function<Status()> mayOpen, std::function<void(const Error&)> onDamage);
    void start();
    // Requests made before are still answered; lists that are not read to their end are cancelled.
    // Idempotent.
    void stop();

    // As in EngineApi.
    void openList(const QString& slot, ListRequest request, std::function<void(Result<ListSlice>)> onSlice);
    void closeList(const QString& slot);
    void fetchRows(ListKind kind, std::vector<qint64> keys, Reply<ListRows> reply);
    void jobDetail(const QString& id, Reply<JobDetail> reply);
    void deliveryDetail(const QString& id, Reply<DeliveryDetail> reply);
    void letterDetail(qint64 no, Reply<LetterDetail> reply);
    void payload(const QString& id, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply);
    void counts(Reply<StoreCounts> reply);
    void plan(ActionRequest request, ActionLimits limits, Reply<ActionPlan> reply);
    void endpoints(Reply<QList<EndpointRow>> reply);
    void endpointDetail(const QString& endpointId, Reply<EndpointDetail> reply);
    void exportList(ExportRequest request, Reply<ExportDone> reply);
    void deliveryMatrix(const QString& filter, Reply<DeliveryMatrix> reply);
    void telemetryPayload(qint64 key, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply);
    void telemetryMinutes(qint64 fromMs, qint64 toMs, Reply<TelemetryMinutes> reply);
    void redrives(Reply<QList<RedriveInfo>> reply);
    void tokens(Reply<QList<TokenRow>> reply);
    // What is stored of these.
    void alertTargets(const QList<AlertTargetRow>& configured, Reply<QList<AlertTargetRow>> reply);
    void alertsAfter(qint64 no, Reply<QList<Alert>> reply);
    void activityDetail(qint64 key, Reply<ActivityDetail> reply);
    void instances(Reply<QList<InstanceInfo>> reply);
    // The body that GET /jobs/{id} answers; nothing: no such job.
    void jobStatus(const QString& id, Reply<std::optional<QByteArray>> reply);

private:
    struct OpenList
    {
        std::unique_ptr<ListCursor> cursor;
        std::function<void(Result<ListSlice>)> onSlice;
        qint64 toldAtMs = 0; // steady; when the last slice was given
    };

    struct OpenTally
    {
        TelemetryTally tally;
        Reply<TelemetryMinutes> reply;
    };

    template <typename T, typename Read>
    void ask(Reply<T> reply, Read read);
    Result<Connection*> connection();
    // Gives the connection up after an error that it may be the cause of.
    void judge(const Error& error);
    std::optional<qint64> cycle();
    void readSlice();
    void countTelemetry();
    void leave();

    Clock& m_clock;
    DatabaseTarget m_target;
    QueueAttempts m_attempts;
    ListExporter m_exporter;
    std::function<Status()> m_mayOpen;
    std::function<void(const Error&)> m_onDamage;

    // The reader thread's own.
    std::unique_ptr<Connection> m_connection;
    CountsStore m_counts;
    std::map<QString, OpenList> m_lists;
    QString m_lastSlot; // lists take turns
    std::optional<OpenTally> m_tally;

    TaskLoop m_loop; // last, so that the thread ends first
};

} // namespace redrive
