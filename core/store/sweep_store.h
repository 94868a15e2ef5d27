// What the sweep reads and writes. Inside a turn's transaction; reads in slices by id.
#pragma once

#include "core/store/cycle.h"

#include <QList>

namespace redrive {

struct SweepCandidate
{
    QString id;
    QString type;
    QString queue; // empty in rows that a user wrote
    int run = 1;
    int attempts = 0;
    int crashes = 0;
    qint64 payloadBytes = 0;
    std::optional<qint64> dueAtMs;
    qint64 updatedAtMs = 0;
    std::optional<qint64> messageSeq;
    bool leased = false;
};

struct SweepRecord
{
    qint64 startedAtMs = 0;
    QString cause; // start, cron, interval
    int published = 0;
    int rescued = 0;
    int unrescuable = 0;
};

// Of a page of all messages: those held by an instance that is not there or has ended.
struct HeldPage
{
    struct Message
    {
        qint64 seq = 0;
        QString queue;
    };
    QList<Message> messages;
    qint64 lastSeq = 0;
    bool last = false;
};

enum class OpenStatus { Pending, Processing };

namespace sweep_store {

// Jobs in this status, by id, after an id.
Result<QList<SweepCandidate>> openJobs(Connection& db, OpenStatus status, const QString& afterId, int limit);
Result<HeldPage> heldByNobody(Connection& db, qint64 afterSeq, int limit);
Status freeMessage(Cycle& cycle, qint64 seq);
// Of a job's message: they spend no retries, in a new message neither.
Status setCrashes(Cycle& cycle, const QString& jobId, int crashes);
Status setQueue(Cycle& cycle, const QString& jobId, const QString& queue);
// processing → pending, with at least `attempts` counted.
Status backToPending(Cycle& cycle, const QString& jobId, int attempts);
Status showMessageNow(Cycle& cycle, qint64 seq, int attempts);
Status record(Cycle& cycle, const SweepRecord& sweep);

} // namespace sweep_store
} // namespace redrive
