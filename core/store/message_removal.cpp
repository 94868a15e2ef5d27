#include "core/store/message_removal.h"

#include "core/domain/reason.h"

#include <limits>

namespace redrive::message_removal {

namespace {

constexpr char kContent[] = "SELECT COALESCE(sum(CASE WHEN lease_instance IS NULL THEN 1 ELSE 0 END), 0), "
                            "count(*), COALESCE(max(seq), 0) FROM messages WHERE queue = ? AND seq <= ?";
constexpr char kAfter[] = "SELECT seq, id, is_job, sent_at_ms, lease_instance IS NOT NULL FROM messages "
                          "WHERE queue = ? AND (sent_at_ms, seq) > (?, ?) AND seq <= ? "
                          "ORDER BY sent_at_ms, seq LIMIT ?";
constexpr char kSentUntil[] = "SELECT seq, id, is_job, sent_at_ms, 0 FROM messages "
                              "WHERE queue = ? AND sent_at_ms <= ? AND lease_instance IS NULL "
                              "ORDER BY sent_at_ms, seq LIMIT ?";
constexpr char kNextQueue[] =
    "SELECT queue, sent_at_ms FROM messages WHERE queue > ? ORDER BY queue, sent_at_ms LIMIT 1";
constexpr char kRemove[] = "DELETE FROM messages WHERE seq = ? AND lease_instance IS NULL";
constexpr char kCancelJob[] =
    "UPDATE jobs SET status = 'cancelled', reason = ?, due_at_ms = NULL, updated_at = ?, updated_at_ms = ? "
    "WHERE id = ? AND status IN ('pending', 'processing')";
constexpr char kBuryJob[] =
    "UPDATE jobs SET status = 'dead', reason = ?, due_at_ms = NULL, "
    "error = COALESCE(error, 'its message expired before it was delivered'), updated_at = ?, "
    "updated_at_ms = ? WHERE id = ? AND status IN ('pending', 'processing')";

Result<QList<RemovableMessage>> read(Query& query)
{
    QList<RemovableMessage> messages;
    while (query.next())
        messages.append(
            {query.int64(0), query.text(1), query.int64(2) != 0, query.int64(3), query.int64(4) != 0});
    REDRIVE_TRY(query.status());
    return messages;
}

Result<bool> remove(Cycle& cycle, const RemovableMessage& message, const char* settleJob, QLatin1String why)
{
    auto gone = cycle.db.query(kRemove);
    gone.bind(message.seq);
    REDRIVE_ASSIGN(rows, gone.run());
    if (rows == 0)
        return false;
    cycle.changes.queues = true;
    if (!message.isJob)
        return true;
    auto job = cycle.db.query(settleJob);
    job.bind(QString(why)).bind(cycle.nowSeconds()).bind(cycle.nowMs).bind(message.id);
    REDRIVE_ASSIGN(settled, job.run());
    if (settled > 0) {
        cycle.changes.jobs = true;
        cycle.changes.touch(message.id);
    }
    return true;
}

} // namespace

Result<QueueContent> contentOf(Connection& db, const QString& queue, std::optional<qint64> cutoffSeq)
{
    auto query = db.query(kContent);
    query.bind(queue).bind(cutoffSeq.value_or(std::numeric_limits<qint64>::max()));
    QueueContent content;
    if (query.next()) {
        content.messages = query.int64(0);
        content.inFlight = query.int64(1) - content.messages;
        content.lastSeq = query.int64(2);
    }
    REDRIVE_TRY(query.status());
    return content;
}

Result<QList<RemovableMessage>> after(Connection& db, const QString& queue, QueuePlace place,
                                      qint64 cutoffSeq, int limit)
{
    auto query = db.query(kAfter);
    query.bind(queue).bind(place.sentAtMs).bind(place.seq).bind(cutoffSeq).bind(limit);
    return read(query);
}

Result<QList<RemovableMessage>> sentUntil(Connection& db, const QString& queue, qint64 sentAtMs, int limit)
{
    auto query = db.query(kSentUntil);
    query.bind(queue).bind(sentAtMs).bind(limit);
    return read(query);
}

Result<QList<std::pair<QString, qint64>>> oldestOfQueues(Connection& db)
{
    QList<std::pair<QString, qint64>> queues;
    QString last = u""_s;
    for (bool more = true; more;) {
        auto query = db.query(kNextQueue);
        query.bind(last);
        more = query.next();
        if (more) {
            last = query.text(0);
            queues.append({last, query.int64(1)});
        }
        REDRIVE_TRY(query.status());
    }
    return queues;
}

Result<bool> purge(Cycle& cycle, const RemovableMessage& message)
{
    return remove(cycle, message, kCancelJob, reason::kPurged);
}

Result<bool> expire(Cycle& cycle, const RemovableMessage& message)
{
    return remove(cycle, message, kBuryJob, reason::kExpired);
}

} // namespace redrive::message_removal
