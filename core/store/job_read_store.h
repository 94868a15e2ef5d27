// Jobs for lists, details and GET /jobs/{id}. The reading connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/job.h"

#include <QHash>

namespace redrive {

// Deliveries that each queue grants a message; queues that are missing are unknown.
using QueueAttempts = QHash<QString, int>;

struct JobPayload
{
    QByteArray bytes;
    qint64 totalBytes = 0;
};

namespace job_read_store {

// In the order of the keys; keys whose row is gone are left out.
Result<QList<JobRow>> rows(Connection& db, const std::vector<qint64>& keys, const QueueAttempts& attempts);
Result<std::optional<JobRow>> row(Connection& db, const QString& id, const QueueAttempts& attempts);
// The job and all its edited versions, the first one first; it alone when it was never edited. At most
// kMostVersions to either side.
inline constexpr int kMostVersions = 50;
Result<QList<JobVersion>> versions(Connection& db, const QString& id);
// Newest first, all runs, the one under way included.
Result<QList<JobAttempt>> attempts(Connection& db, const JobRow& job);
// Of the last run that has one, as stored, cut at 64 KiB; empty if there is none.
Result<QString> lastResult(Connection& db, const QString& id);
// Bytes `offset` to `offset + bytes` of the job's payload, or of the body of a message or of its letter with
// this id. Nothing: no such row.
Result<std::optional<JobPayload>> payload(Connection& db, const QString& id, qint64 offset, qint64 bytes);

} // namespace job_read_store
} // namespace redrive
