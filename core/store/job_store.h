// Jobs: their rows, attempts and results. Control thread, inside a turn's transaction. Every change after the
// claim is made only together with its message, which compares the claim (message_store.h).
#pragma once

#include "core/domain/job.h"
#include "core/store/cycle.h"

namespace redrive {

struct NewJob
{
    QString id;
    QString type;
    QString queue;
    QByteArray payload;            // exact UTF-8
    std::optional<qint64> dueAtMs; // when it was sent with a delay
};

struct AttemptRecord
{
    QString jobId;
    int run = 1;
    int attempt = 1;
    qint64 instanceNo = 0;
    qint64 startedAtMs = 0;
    QString outcome;
    QString error;
    std::optional<qint64> nextAtMs;
};

namespace job_store {

Status insert(Cycle& cycle, const NewJob& job);
// pending → processing, if the row still is pending in this run. False otherwise.
Result<bool> claim(Cycle& cycle, const QString& id, int run, int attempt);
// These leave a job alone that is done, dead or cancelled already.
Status finish(Cycle& cycle, const QString& id, int attempt);
Status waitForRetry(Cycle& cycle, const QString& id, int attempt, qint64 dueAtMs, const QString& error,
                    const QString& reason);
Status die(Cycle& cycle, const QString& id, int attempt, int crashes, const QString& error,
           const QString& reason);
// An empty error leaves the last one.
Status cancel(Cycle& cycle, const QString& id, const QString& error, const QString& reason);
// processing → pending without counting the attempt, or after a crash.
Status giveBack(Cycle& cycle, const QString& id, int attempts, int crashes, const QString& error,
                const QString& reason);
Status recordAttempt(Cycle& cycle, const AttemptRecord& record);
// Adds a line to what an attempt says of itself; an attempt that was not recorded has none.
Status noteOnAttempt(Cycle& cycle, const QString& id, int run, int attempt, const QString& note);
Status storeResult(Cycle& cycle, const QString& id, int run, const QByteArray& content);

} // namespace job_store
} // namespace redrive
