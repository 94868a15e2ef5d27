// The one door for the console and the program: everything they may ask of an engine. Calls return at once
// and may come from any thread; answers come on threads of the engine (the console's bridge takes them over
// to the window thread). After stop() calls answer with Refused.
#pragma once

#include "core/base/result.h"
#include "core/domain/action.h"
#include "core/domain/alert.h"
#include "core/domain/archive.h"
#include "core/domain/change_set.h"
#include "core/domain/endpoint.h"
#include "core/domain/export.h"
#include "core/domain/instance.h"
#include "core/domain/letter_import.h"
#include "core/domain/list.h"
#include "core/domain/matrix.h"
#include "core/domain/overview.h"
#include "core/domain/redrive.h"
#include "core/domain/telemetry.h"
#include "core/domain/telemetry_minutes.h"
#include "core/domain/token.h"

#include <functional>

namespace redrive {

template <typename T>
using Reply = std::function<void(Result<T>)>;

struct JobDetail
{
    JobRow job;
    QList<JobAttempt> attempts; // newest first, all runs
    QList<DeliveryRow> deliveries;
    QString result;                  // of the last run that has one, as stored; cut at 64 KiB
    std::optional<LetterRow> letter; // the newest
    QList<JobVersion> versions;      // itself and its edited versions, the first one first
    QList<ItemAction> actions;       // what operators did to it, oldest first; the newest 50
};

struct DeliveryDetail
{
    DeliveryRow delivery;
    QList<DeliveryAttempt> attempts; // newest first
    QByteArray body;                 // as sent
    QList<ItemAction> actions;       // as a job's
};

struct LetterDetail
{
    LetterRow letter;
    std::optional<JobDetail> job;
    std::optional<DeliveryDetail> delivery;
    QList<ItemAction> actions; // of a plain message, as a job's
};

struct PayloadPiece
{
    QByteArray bytes;
    qint64 offset = 0;
    qint64 totalBytes = 0;
};

// Alerts do not arrive at one of their targets.
struct AlertFailure
{
    QString form;
    QString place;
    qint64 sinceMs = 0; // 0: it was never tried, for a fault of the configuration
    QString error;
};

struct EngineHealth
{
    bool running = false;
    QStringList problems;                      // empty when all is well
    bool stalled = false;                      // the store cannot be written: nothing moves
    bool readOnly = false;                     // and never will be by this engine
    QStringList notices;                       // no problem, and worth knowing
    QString listenUrl;                         // empty: no listener
    QString listenTlsUrl;                      // empty: no TLS
    bool insecureListen = false;               // open beyond this machine without TLS or tokens
    std::optional<qint64> certificateEndsAtMs; // of the TLS listener
    QString certificateProblem; // its files cannot be used as they are now; what was loaded before serves on
    QString databasePath;
    QList<AlertFailure> alertFailures;
    ArchiveHealth archive;
    std::optional<qint64> offlineSinceMs; // no endpoint beyond this machine can be reached
    int workers = 0;
    int threadsGivenUp = 0; // beside them: of handlers that ignore their time limit
    qint64 startedAtMs = 0;
    EngineRates rates;
    TelemetryFigures telemetry;
};

struct SubmitRequest
{
    QString type;
    QByteArray payload;            // JSON text, kept as it is
    std::optional<qint64> delayMs; // nothing: the queue's own delivery delay
};

// What the configuration says, as far as the console shows it; the same from start to stop.
struct EngineFacts
{
    struct Retention
    {
        QString key;
        qint64 ms = 0;
        QString place; // file:line:column; empty: the default
    };

    struct Archive
    {
        QString dir;       // empty: there is none
        qint64 keepMs = 0; // 0: for ever
        QString bucket;    // where copies go, for people; empty: nowhere
    };

    QString configurationFile; // empty: the built-in default
    QString settingsFile;      // where Redrive's own settings stand, or belong; empty: there is no file yet
    QString environment;
    QString databasePath;
    QString listen;
    QString listenTls;
    QString telemetryQueue;    // empty: none
    QString intakeTokenSecret; // the name of the secret; empty: none
    QString ingestTokenSecret; // the same
    std::optional<double> ratePerSecond;
    QList<Retention> retention;
    Archive archive;
};

class EngineApi
{
public:
    virtual ~EngineApi() = default;

    // Slices arrive until one is last. A later call with the same `slot` drops what is left of the earlier
    // one.
    virtual void openList(const QString& slot, ListRequest request,
                          std::function<void(Result<ListSlice>)> onSlice) = 0;
    // Drops what is left of the list in this slot: nothing more comes of it.
    virtual void closeList(const QString& slot) = 0;
    // Rows come in the order of the keys; keys whose row is gone are left out.
    virtual void fetchRows(ListKind kind, std::vector<qint64> keys, Reply<ListRows> reply) = 0;
    // Writes the list into a file of this machine, one export at a time.
    virtual void exportList(ExportRequest request, Reply<ExportDone> reply) = 0;
    virtual void jobDetail(const QString& jobId, Reply<JobDetail> reply) = 0;
    virtual void deliveryDetail(const QString& deliveryId, Reply<DeliveryDetail> reply) = 0;
    // The newest events of which a delivery matches the filter.
    virtual void deliveryMatrix(const QString& filter, Reply<DeliveryMatrix> reply) = 0;
    virtual void letterDetail(qint64 letterNo, Reply<LetterDetail> reply) = 0;
    // At most 1 MiB at a time.
    virtual void payload(const QString& jobId, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply) = 0;
    // Of the row of telemetry with this key; at most 1 MiB at a time.
    virtual void telemetryPayload(qint64 key, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply) = 0;
    // How many rows of telemetry were made in each minute of [fromMs, toMs). A later call takes the place of
    // an earlier one, which is answered with Cancelled.
    virtual void telemetryMinutes(qint64 fromMs, qint64 toMs, Reply<TelemetryMinutes> reply) = 0;
    virtual void counts(Reply<StoreCounts> reply) = 0;

    virtual void submit(SubmitRequest request, Reply<QString> reply) = 0; // the job's id, once durable
    virtual void plan(ActionRequest request, Reply<ActionPlan> reply) = 0;
    // Answers when every item is settled, or the redrive was stopped or taken back; with a pace, when it is
    // written.
    virtual void act(ActionRequest request, Reply<ActionResult> reply) = 0;
    // Those that are not over and the newest 20, newest first.
    virtual void redrives(Reply<QList<RedriveInfo>> reply) = 0;
    virtual void steer(RedriveOrder order, Reply<RedriveInfo> reply) = 0;

    virtual void tokens(Reply<QList<TokenRow>> reply) = 0;
    // In force in every engine on this database when it answers, or within a second of it.
    virtual void changeToken(TokenChange change, Reply<TokenChanged> reply) = 0;

    virtual void endpoints(Reply<QList<EndpointRow>> reply) = 0;
    virtual void endpointDetail(const QString& endpointId, Reply<EndpointDetail> reply) = 0;
    // In force in every engine on this database when it answers, or within a second of it.
    virtual void changeEndpoint(EndpointChange change, Reply<EndpointChanged> reply) = 0;
    // Sends it a webhook.test event, which counts nowhere; answers with what came of it.
    virtual void testEndpoint(const QString& endpointId, Reply<DeliveryAttempt> reply) = 0;

    // The configured targets of alerts.
    virtual void alertTargets(Reply<QList<AlertTargetRow>> reply) = 0;
    // Posts a test to one of them, which counts nowhere; answers with what came of it.
    virtual void testAlert(const QString& targetId, Reply<AlertTestResult> reply) = 0;
    // Those with a higher number, newest first, at most 20.
    virtual void alertsAfter(qint64 no, Reply<QList<Alert>> reply) = 0;
    virtual void activityDetail(qint64 key, Reply<ActivityDetail> reply) = 0;

    // The files of the archive and what it has still to do.
    virtual void archive(Reply<ArchiveState> reply) = 0;
    // Does at once what the archive does by itself later. Refused where there is no archive, or no bucket;
    // Busy while another process does it.
    virtual void archiveNow(ArchiveTask task, Reply<ArchiveTaskDone> reply) = 0;
    // Brings the letters of a file of the archive back, or says what would be. Progress comes until one is
    // the last; an error is the last, too. One file at a time, the next one waits.
    virtual void importLetters(ImportRequest request,
                               std::function<void(Result<ImportProgress>)> onProgress) = 0;
    // Those that are under way or wait; what was brought back stays.
    virtual void stopImports() = 0;

    // Engines that live, and those that ended within the last day, newest first.
    virtual void instances(Reply<QList<InstanceInfo>> reply) = 0;

    virtual EngineHealth health() const = 0;
    virtual EngineFacts facts() const = 0;
    // Called after commits, at most ten times a second, changes merged. Returns a handle.
    virtual int subscribe(std::function<void(const ChangeSet&)> onChange) = 0;
    virtual void unsubscribe(int handle) = 0;
};

} // namespace redrive
