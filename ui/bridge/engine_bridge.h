// The window-thread side of the engine: asks on behalf of models and pages, takes the answers over to the
// window thread, and tells what changed. The only place in ui that sees engine_api. Window thread only.
//
// Every question takes a context object: when it is gone by the time the answer comes, the answer is dropped.
#pragma once

#include "core/base/clock.h"
#include "core/engine/engine_api.h"
#include "ui/bridge/change_gate.h"
#include "ui/bridge/mailbox.h"

#include <QPointer>
#include <QTimer>

#include <memory>
#include <optional>

namespace redrive {

template <typename T>
using Answer = std::function<void(Result<T>)>;

class EngineBridge final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kCountsIntervalMs = 2000;  // at most this often while something changes
    static constexpr int kSafetyIntervalMs = 30000; // and this often anyway, should a notice be lost
    static constexpr int kHealthIntervalMs = 1000;

    EngineBridge(EngineApi& engine, Clock& clock, QObject* parent = nullptr);
    ~EngineBridge() override;

    Clock& clock() const { return m_clock; }
    qint64 nowMs() const { return m_clock.wallMs(); }

    // Slices come in order until one is last. A later call with the same slot drops what is left of the
    // earlier one.
    void openList(QObject* context, const QString& slot, ListRequest request, Answer<ListSlice> onSlice);
    void closeList(const QString& slot); // nothing more comes of it
    void fetchRows(QObject* context, ListKind kind, std::vector<qint64> keys, Answer<ListRows> answer);
    void jobDetail(QObject* context, const QString& jobId, Answer<JobDetail> answer);
    void deliveryDetail(QObject* context, const QString& deliveryId, Answer<DeliveryDetail> answer);
    void letterDetail(QObject* context, qint64 letterNo, Answer<LetterDetail> answer);
    void payload(QObject* context, const QString& jobId, qint64 offset, qint64 bytes,
                 Answer<PayloadPiece> answer);
    void telemetryPayload(QObject* context, qint64 key, qint64 offset, qint64 bytes,
                          Answer<PayloadPiece> answer);
    void telemetryMinutes(QObject* context, qint64 fromMs, qint64 toMs, Answer<TelemetryMinutes> answer);
    void submit(QObject* context, SubmitRequest request, Answer<QString> answer);
    void plan(QObject* context, ActionRequest request, Answer<ActionPlan> answer);
    void act(QObject* context, ActionRequest request, Answer<ActionResult> answer);

    void exportList(QObject* context, ExportRequest request, Answer<ExportDone> answer);
    void deliveryMatrix(QObject* context, const QString& filter, Answer<DeliveryMatrix> answer);
    void endpoints(QObject* context, Answer<QList<EndpointRow>> answer);
    void endpointDetail(QObject* context, const QString& endpointId, Answer<EndpointDetail> answer);
    void changeEndpoint(QObject* context, EndpointChange change, Answer<EndpointChanged> answer);
    void testEndpoint(QObject* context, const QString& endpointId, Answer<DeliveryAttempt> answer);
    void redrives(QObject* context, Answer<QList<RedriveInfo>> answer);
    void steer(QObject* context, RedriveOrder order, Answer<RedriveInfo> answer);
    void tokens(QObject* context, Answer<QList<TokenRow>> answer);
    void changeToken(QObject* context, TokenChange change, Answer<TokenChanged> answer);
    void instances(QObject* context, Answer<QList<InstanceInfo>> answer);
    void alertTargets(QObject* context, Answer<QList<AlertTargetRow>> answer);
    void testAlert(QObject* context, const QString& targetId, Answer<AlertTestResult> answer);
    void alertsAfter(QObject* context, qint64 no, Answer<QList<Alert>> answer);
    void archive(QObject* context, Answer<ArchiveState> answer);
    void archiveNow(QObject* context, ArchiveTask task, Answer<ArchiveTaskDone> answer);
    // Until one is the last; an error is the last, too.
    void importLetters(QObject* context, ImportRequest request, Answer<ImportProgress> onProgress);
    void stopImports(); // what was brought back stays
    void activityDetail(QObject* context, qint64 key, Answer<ActivityDetail> answer);

    EngineFacts facts() const { return m_engine.facts(); }
    const std::optional<StoreCounts>& counts() const { return m_counts; } // nothing until they first came
    const EngineHealth& health() const { return m_health; }
    QString problem() const; // one line; empty when all is well
    // What is shown may be old: the engine has stopped, the store does not answer or cannot be written.
    bool isCutOff() const { return !m_health.running || m_health.stalled || !m_storeProblem.isEmpty(); }
    void refresh(); // counts and health now, and changed(everything)

Q_SIGNALS:
    void changed(const redrive::ChangeSet& changes); // at most ten times a second
    void countsChanged(const redrive::StoreCounts& counts);
    void healthChanged(const redrive::EngineHealth& health);
    void connectionProblem(const QString& text); // empty: it is over

private:
    template <typename T>
    struct Question
    {
        QPointer<QObject> context;
        Answer<T> answer;
        bool reads;
    };

    template <typename T>
    Reply<T> handOver(QObject* context, Answer<T> answer, bool reads = true);
    void onPassed(const ChangeSet& changes);
    void askCounts();
    void readHealth();
    void note(const Error* error, bool reads);
    void announceProblem();

    EngineApi& m_engine;
    Clock& m_clock;
    std::shared_ptr<Mailbox> m_mailbox;
    ChangeGate m_gate;
    int m_subscription = 0;
    std::optional<StoreCounts> m_counts;
    EngineHealth m_health;
    QString m_storeProblem;     // what the last failed question said
    QString m_announcedProblem; // what listeners know
    QTimer m_countsPause;
    QTimer m_safety;
    QTimer m_healthTimer;
    bool m_countsAsked = false;
    bool m_countsWanted = false; // something changed since they were asked
};

} // namespace redrive
