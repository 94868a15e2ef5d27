// What the HTTP front needs from the engine. The front calls it in the intake thread; a callback may come
// from any thread, at once or later, once per call, also after the front is gone. Many callbacks in a burst
// (after a commit) wake the intake thread once.
//
// Errors and what the client sees: Busy 503 db_busy · StorageFull 503 storage_full · ReadOnly, Corrupt 503
// read_only · Refused with detail "backlog" 429, "stopping" 503 shutting_down, "no queue" 404
// no_telemetry_queue, "no jobs queue" 404 no_jobs_queue · Conflict 422 idempotency_key_reused · NotFound 404
// · InvalidInput, Constraint 422 invalid_field with the error's field and message · all others 503 db_busy.
#pragma once

#include "core/base/result.h"
#include "core/domain/job.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace redrive {

struct KeyedRequest
{
    std::optional<QByteArray> idempotencyKey; // 1-255 bytes of UTF-8, compared byte by byte
    QByteArray bodyHash;                      // SHA-256 of the body, when there is an idempotencyKey
    QString route;                            // "/jobs", "/jobs/batch": with the token the scope of the key
    QString token;                            // which one let the request in; empty: none was needed
};

struct EnqueueRequest : KeyedRequest
{
    std::vector<JobInput> jobs; // all or none; payloads are the exact bytes received, "null" where missing
};

struct EnqueueReply
{
    QStringList jobIds;     // in the order of the request
    bool duplicate = false; // the key was used before for the same body
};

struct IngestRequest : KeyedRequest
{
    QByteArrayList events;  // all or none; the exact bytes received; 1-500
    bool intoTable = false; // stored in the table at once, instead of in the queue; one event
};

struct IngestReply
{
    QStringList eventIds;   // in the order of the request
    bool duplicate = false; // as above
};

struct Health
{
    bool ok = true;
    QStringList reasons;      // why not
    QStringList notices = {}; // what is worth knowing although it is
};

class IntakePort
{
public:
    virtual ~IntakePort() = default;

    // The reply is due only when the jobs are durable.
    virtual void enqueue(EnqueueRequest request, std::function<void(Result<EnqueueReply>)> reply) = 0;
    // The reply is due only when the events are durable.
    virtual void ingest(IngestRequest request, std::function<void(Result<IngestReply>)> reply) = 0;
    // The JSON body of GET /jobs/{id}. The id is any text a client sent.
    virtual void job(QString id, std::function<void(Result<QByteArray>)> reply) = 0;
    // Prometheus text.
    virtual void metrics(std::function<void(Result<QByteArray>)> reply) = 0;
    virtual void health(std::function<void(Health)> reply) = 0;
};

} // namespace redrive
