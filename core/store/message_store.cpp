#include "core/store/message_store.h"

#include "core/store/row_values.h"

namespace redrive {

QString toText(ContentType type)
{
    switch (type) {
    case ContentType::Json:
        return QStringLiteral("json");
    case ContentType::Text:
        return QStringLiteral("text");
    case ContentType::Bytes:
        break;
    }
    return QStringLiteral("bytes");
}

std::optional<ContentType> contentTypeFrom(QStringView text)
{
    for (const ContentType type : {ContentType::Json, ContentType::Text, ContentType::Bytes})
        if (text == toText(type))
            return type;
    return std::nullopt;
}

namespace message_store {

namespace {

constexpr char kInsertText[] =
    "INSERT INTO messages (id, queue, is_job, content_type, body, size, sent_at_ms, "
    "visible_at_ms, urgent, attempts) VALUES (?, ?, ?, ?, {exact:?}, ?, ?, ?, ?, ?) "
    "ON CONFLICT (id) DO NOTHING";
constexpr char kInsertBytes[] =
    "INSERT INTO messages (id, queue, is_job, content_type, body, size, sent_at_ms, "
    "visible_at_ms, urgent, attempts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (id) DO NOTHING";

// So many are inserted by one statement: what a trigger makes the database keep for a statement is kept once
// for all.
constexpr int kAtOnce = 25;

QByteArray insertManySql(int count)
{
    QByteArray rows = "(?, ?)";
    for (int i = 1; i < count; ++i)
        rows += ", (?, ?)";
    return "INSERT INTO messages (id, queue, is_job, content_type, body, size, sent_at_ms, visible_at_ms) "
           "SELECT v.column1, q.queue, 0, 'json', {exact:v.column2}, length(v.column2), q.sent, q.visible "
           "FROM (SELECT ? AS queue, ? AS sent, ? AS visible) q, (VALUES " +
           rows + ") v WHERE true ON CONFLICT (id) DO NOTHING";
}

constexpr char kWaiting[] =
    "SELECT m.seq, m.id, m.is_job, m.content_type, {bytes:m.body}, m.sent_at_ms, m.visible_at_ms, "
    "m.attempts, "
    "m.crashes, m.urgent, j.id IS NOT NULL, j.type, j.status, j.run, {bytes:j.payload}, "
    "COALESCE(j.created_at_ms, j.created_at * 1000), j.due_at_ms "
    "FROM messages m LEFT JOIN jobs j ON m.is_job = 1 AND j.id = m.id "
    "WHERE m.queue = ? AND m.lease_instance IS NULL AND m.visible_at_ms <= ? AND m.is_job >= ? "
    "ORDER BY m.visible_at_ms, m.seq LIMIT ?";
constexpr char kNextVisible[] = "SELECT visible_at_ms FROM messages WHERE queue = ? AND lease_instance IS "
                                "NULL AND visible_at_ms > ? ORDER BY visible_at_ms, seq LIMIT 1";

constexpr char kLease[] = "UPDATE messages SET lease_instance = ? WHERE seq = ? AND lease_instance IS NULL";
constexpr char kClaim[] = "UPDATE messages SET lease_instance = ?, claim_no = ?, claimed_at_ms = ?, "
                          "attempts = ?, urgent = 0 "
                          "WHERE seq = ? AND (attempts = ? OR attempts < 0 OR attempts > ?) "
                          "AND (lease_instance IS NULL OR (lease_instance = ? AND claim_no IS NULL))";
constexpr char kReleaseLease[] = "UPDATE messages SET lease_instance = NULL "
                                 "WHERE seq = ? AND lease_instance = ? AND claim_no IS NULL";
constexpr char kReleaseClaim[] =
    "UPDATE messages SET lease_instance = NULL, claim_no = NULL, claimed_at_ms = NULL, "
    "attempts = attempts - 1 WHERE seq = ? AND lease_instance = ? AND claim_no = ?";

constexpr char kRemove[] = "DELETE FROM messages WHERE seq = ? AND lease_instance = ? AND claim_no = ?";
constexpr char kRetry[] =
    "UPDATE messages SET lease_instance = NULL, claim_no = NULL, claimed_at_ms = NULL, "
    "visible_at_ms = ?, last_error = ? WHERE seq = ? AND lease_instance = ? AND claim_no = ?";
constexpr char kMove[] =
    "UPDATE messages SET lease_instance = NULL, claim_no = NULL, claimed_at_ms = NULL, queue = ?, "
    "visible_at_ms = ?, attempts = 0, crashes = 0, urgent = 0, last_error = ? "
    "WHERE seq = ? AND lease_instance = ? AND claim_no = ?";

constexpr char kRemoveUnclaimed[] = "DELETE FROM messages WHERE seq = ? AND claim_no IS NULL "
                                    "AND (lease_instance IS NULL OR lease_instance = ?)";
constexpr char kRemoveRun[] = "DELETE FROM messages WHERE seq BETWEEN ? AND ? AND claim_no IS NULL "
                              "AND (lease_instance IS NULL OR lease_instance = ?)";
constexpr char kMoveUnclaimed[] =
    "UPDATE messages SET lease_instance = NULL, queue = ?, visible_at_ms = ?, attempts = 0, crashes = 0, "
    "urgent = 0, "
    "last_error = ? WHERE seq = ? AND claim_no IS NULL AND (lease_instance IS NULL OR lease_instance = ?)";
constexpr char kRetryUnclaimed[] =
    "UPDATE messages SET lease_instance = NULL, visible_at_ms = ?, attempts = ?, urgent = 0, last_error = ? "
    "WHERE seq = ? AND claim_no IS NULL AND (lease_instance IS NULL OR lease_instance = ?)";

constexpr char kHeldBy[] =
    "SELECT m.seq, m.id, m.queue, m.is_job, m.attempts, m.crashes, m.claim_no IS NOT NULL, "
    "COALESCE(m.claimed_at_ms, 0), m.sent_at_ms, j.type, COALESCE(j.run, 1), m.content_type, {bytes:m.body}, "
    "m.stop_asked_ms IS NOT NULL, j.status "
    "FROM messages m LEFT JOIN jobs j ON m.is_job = 1 AND j.id = m.id "
    "WHERE m.lease_instance = ? AND m.seq > ? ORDER BY m.seq LIMIT ?";
constexpr char kGiveBack[] =
    "UPDATE messages SET lease_instance = NULL, claim_no = NULL, claimed_at_ms = NULL, "
    "crashes = ?, urgent = CASE WHEN ? = 1 THEN 1 ELSE urgent END WHERE seq = ?";
constexpr char kMoveAbandoned[] = "UPDATE messages SET lease_instance = NULL, claim_no = NULL, claimed_at_ms "
                                  "= NULL, queue = ?, visible_at_ms = ?, "
                                  "attempts = 0, crashes = 0, urgent = 0, last_error = ? WHERE seq = ?";
constexpr char kRemoveAbandoned[] = "DELETE FROM messages WHERE seq = ?";

Result<bool> changedOne(Query& query)
{
    REDRIVE_ASSIGN(rows, query.run());
    return rows == 1;
}

} // namespace

Result<bool> insert(Cycle& cycle, const NewMessage& message)
{
    const bool asBytes = message.contentType == ContentType::Bytes;
    auto query = cycle.db.query(asBytes ? kInsertBytes : kInsertText);
    query.bind(message.id).bind(message.queue).bind(message.isJob).bind(toText(message.contentType));
    if (message.isJob)
        query.bindNull();
    else
        query.bind(message.body);
    query.bind(message.size).bind(cycle.nowMs).bind(message.visibleAtMs).bind(message.urgent);
    query.bind(message.attempts);
    cycle.queuesToLook.insert(message.queue);
    return changedOne(query);
}

Status insertAll(Cycle& cycle, const QString& queue, qint64 visibleAtMs, const QList<PlainMessage>& messages)
{
    static const QByteArray many = insertManySql(kAtOnce);
    static const QByteArray one = insertManySql(1);
    for (qsizetype first = 0; first < messages.size();) {
        const qsizetype count = messages.size() - first >= kAtOnce ? kAtOnce : 1;
        auto query = cycle.db.query(count == 1 ? one.constData() : many.constData());
        query.bind(queue).bind(cycle.nowMs).bind(visibleAtMs);
        for (qsizetype i = first; i < first + count; ++i)
            query.bind(messages[i].id).bind(messages[i].body);
        REDRIVE_TRY(query.run());
        first += count;
    }
    cycle.queuesToLook.insert(queue);
    return {};
}

Result<QList<WaitingMessage>> waiting(Connection& db, const QString& queue, qint64 nowMs, int limit,
                                      bool jobsOnly)
{
    auto query = db.query(kWaiting);
    query.bind(queue).bind(nowMs).bind(jobsOnly).bind(limit);
    QList<WaitingMessage> messages;
    qint64 bytes = 0;
    while (bytes < kMostBytesRead && query.next()) {
        WaitingMessage m;
        m.seq = query.int64(0);
        m.id = query.text(1);
        m.isJob = query.int64(2) != 0;
        m.contentType = contentTypeFrom(query.text(3)).value_or(ContentType::Json);
        m.sentAtMs = query.int64(5);
        m.visibleAtMs = query.int64(6);
        m.attempts = countOf(query, 7);
        m.crashes = countOf(query, 8);
        m.urgent = query.int64(9) != 0;
        m.jobFound = query.int64(10) != 0;
        m.jobType = query.text(11);
        m.jobStatus = query.text(12);
        m.jobRun = countOf(query, 13);
        m.body = query.bytes(m.isJob ? 14 : 4);
        m.jobCreatedAtMs = query.int64(15);
        m.jobDueAtMs = query.optInt64(16);
        bytes += m.body.size();
        messages.append(std::move(m));
    }
    REDRIVE_TRY(query.status());
    return messages;
}

Result<std::optional<qint64>> nextVisibleAt(Connection& db, const QString& queue, qint64 afterMs)
{
    auto query = db.query(kNextVisible);
    query.bind(queue).bind(afterMs);
    std::optional<qint64> next;
    if (query.next())
        next = query.int64(0);
    REDRIVE_TRY(query.status());
    return next;
}

Result<bool> lease(Cycle& cycle, qint64 seq)
{
    auto query = cycle.db.query(kLease);
    query.bind(cycle.instanceNo).bind(seq);
    return changedOne(query);
}

Result<bool> claim(Cycle& cycle, qint64 seq, int attempts, qint64 claimNo)
{
    auto query = cycle.db.query(kClaim);
    query.bind(cycle.instanceNo).bind(claimNo).bind(cycle.nowMs).bind(attempts + 1);
    query.bind(seq).bind(attempts).bind(kMostCounted).bind(cycle.instanceNo);
    return changedOne(query);
}

Status releaseLease(Cycle& cycle, qint64 seq)
{
    auto query = cycle.db.query(kReleaseLease);
    query.bind(seq).bind(cycle.instanceNo);
    REDRIVE_TRY(query.run());
    return {};
}

Result<bool> releaseClaim(Cycle& cycle, qint64 seq, qint64 claimNo)
{
    auto query = cycle.db.query(kReleaseClaim);
    query.bind(seq).bind(cycle.instanceNo).bind(claimNo);
    return changedOne(query);
}

Result<bool> remove(Cycle& cycle, qint64 seq, qint64 claimNo)
{
    auto query = cycle.db.query(kRemove);
    query.bind(seq).bind(cycle.instanceNo).bind(claimNo);
    return changedOne(query);
}

Result<bool> retryAt(Cycle& cycle, qint64 seq, qint64 claimNo, qint64 visibleAtMs, const QString& error)
{
    auto query = cycle.db.query(kRetry);
    query.bind(visibleAtMs).bindTextOrNull(error).bind(seq).bind(cycle.instanceNo).bind(claimNo);
    return changedOne(query);
}

Result<bool> moveTo(Cycle& cycle, qint64 seq, qint64 claimNo, const QString& queue, const QString& error)
{
    auto query = cycle.db.query(kMove);
    query.bind(queue).bind(cycle.nowMs).bindTextOrNull(error).bind(seq).bind(cycle.instanceNo).bind(claimNo);
    cycle.queuesToLook.insert(queue);
    return changedOne(query);
}

Result<bool> removeUnclaimed(Cycle& cycle, qint64 seq)
{
    auto query = cycle.db.query(kRemoveUnclaimed);
    query.bind(seq).bind(cycle.instanceNo);
    return changedOne(query);
}

Status removeRun(Cycle& cycle, qint64 firstSeq, qint64 lastSeq)
{
    auto query = cycle.db.query(kRemoveRun);
    REDRIVE_TRY(query.bind(firstSeq).bind(lastSeq).bind(cycle.instanceNo).run());
    return {};
}

Result<bool> moveUnclaimed(Cycle& cycle, qint64 seq, const QString& queue, const QString& error)
{
    auto query = cycle.db.query(kMoveUnclaimed);
    query.bind(queue).bind(cycle.nowMs).bindTextOrNull(error).bind(seq).bind(cycle.instanceNo);
    cycle.queuesToLook.insert(queue);
    return changedOne(query);
}

Result<bool> retryUnclaimed(Cycle& cycle, qint64 seq, qint64 visibleAtMs, int attempts, const QString& error)
{
    auto query = cycle.db.query(kRetryUnclaimed);
    query.bind(visibleAtMs).bind(attempts).bindTextOrNull(error).bind(seq).bind(cycle.instanceNo);
    return changedOne(query);
}

Result<QList<AbandonedMessage>> heldBy(Connection& db, qint64 instanceNo, qint64 afterSeq, int limit)
{
    auto query = db.query(kHeldBy);
    query.bind(instanceNo).bind(afterSeq).bind(limit);
    QList<AbandonedMessage> messages;
    while (query.next()) {
        AbandonedMessage m;
        m.seq = query.int64(0);
        m.id = query.text(1);
        m.queue = query.text(2);
        m.isJob = query.int64(3) != 0;
        m.attempts = countOf(query, 4);
        m.crashes = countOf(query, 5);
        m.claimed = query.int64(6) != 0;
        m.claimedAtMs = query.int64(7);
        m.sentAtMs = query.int64(8);
        m.jobType = query.text(9);
        m.jobRun = countOf(query, 10);
        m.contentType = contentTypeFrom(query.text(11)).value_or(ContentType::Json);
        m.body = query.bytes(12);
        m.stopAsked = query.int64(13) != 0;
        m.jobStatus = query.text(14);
        m.instanceNo = instanceNo;
        messages.append(std::move(m));
    }
    REDRIVE_TRY(query.status());
    return messages;
}

Status giveBack(Cycle& cycle, const AbandonedMessage& message, bool crashed)
{
    auto query = cycle.db.query(kGiveBack);
    query.bind(message.crashes + (crashed ? 1 : 0)).bind(crashed).bind(message.seq);
    REDRIVE_TRY(query.run());
    cycle.queuesToLook.insert(message.queue);
    return {};
}

Status moveAbandoned(Cycle& cycle, const AbandonedMessage& message, const QString& queue,
                     const QString& error)
{
    auto query = cycle.db.query(kMoveAbandoned);
    query.bind(queue).bind(cycle.nowMs).bindTextOrNull(error).bind(message.seq);
    REDRIVE_TRY(query.run());
    cycle.queuesToLook.insert(queue);
    return {};
}

Status removeAbandoned(Cycle& cycle, qint64 seq)
{
    auto query = cycle.db.query(kRemoveAbandoned);
    query.bind(seq);
    REDRIVE_TRY(query.run());
    return {};
}

} // namespace message_store
} // namespace redrive
