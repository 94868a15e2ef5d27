#include "core/store/delivery_read_store.h"

#include "core/store/row_values.h"

namespace redrive::delivery_read_store {

namespace {

#define REDRIVE_DELIVERY_COLUMNS                                                                             \
    "SELECT {rowkey}, id, endpoint_id, event_id, event_type, job_id, url, status, reason, "                  \
    "substr(error, 1, 300), attempts, spent, budget, due_at_ms, created_at_ms, created_at, updated_at_ms, "  \
    "discarded, "                                                                                            \
    "(SELECT b.open_until_ms FROM endpoint_breakers b WHERE b.endpoint_id = "                                \
    "webhook_deliveries.endpoint_id), "                                                                      \
    "(SELECT w.paused_until_ms FROM webhook_endpoints w WHERE w.id = webhook_deliveries.endpoint_id) "       \
    "FROM webhook_deliveries WHERE "

constexpr char kByKey[] = REDRIVE_DELIVERY_COLUMNS "{rowkey} = ?";
constexpr char kById[] = REDRIVE_DELIVERY_COLUMNS "id = ?";
constexpr char kOfJob[] = REDRIVE_DELIVERY_COLUMNS
    "event_id IN (SELECT e.id FROM webhook_events e WHERE e.job_id = ?) ORDER BY endpoint_id";
#undef REDRIVE_DELIVERY_COLUMNS
constexpr char kAttempts[] =
    "SELECT attempt, kind, replay_of, url, started_at_ms, finished_at_ms, outcome, class, status_code, "
    "error_code, error, peer, request_headers, response_headers, response_body, dns_us, connect_us, tls_us, "
    "first_byte_us, total_us, next_at_ms, next_reason, tls_version, certificate_ends_at_ms, endpoint_version "
    "FROM delivery_attempts WHERE delivery_id = ? "
    "ORDER BY attempt DESC";
constexpr char kBody[] = "SELECT {bytes:body} FROM webhook_events WHERE id = ?";

DeliveryRow read(const Query& query)
{
    DeliveryRow row;
    row.key = query.int64(0);
    row.id = query.text(1);
    row.endpointId = query.text(2);
    row.eventId = query.text(3);
    row.eventType = query.text(4);
    row.jobId = query.text(5);
    row.url = query.text(6);
    const QString status = query.text(7);
    row.status = deliveryStatusFrom(status).value_or(DeliveryStatus::Cancelled);
    if (!deliveryStatusFrom(status))
        row.otherStatus = status.isEmpty() ? u"(none)"_s : status;
    row.reason = query.text(8);
    row.error = query.text(9);
    row.attempts = countOf(query, 10);
    row.spent = countOf(query, 11);
    row.budget = countOf(query, 12);
    row.dueAtMs = query.optInt64(13);
    row.createdAtMs = rowTimeMs(query, 14, 15);
    row.updatedAtMs = query.optInt64(16).value_or(row.createdAtMs);
    row.discarded = query.int64(17) != 0;
    row.breakerUntilMs = query.optInt64(18);
    row.pausedUntilMs = query.optInt64(19);
    return row;
}

std::optional<int> narrow(std::optional<qint64> value)
{
    return value ? std::optional<int>(int(*value)) : std::nullopt;
}

DeliveryAttempt readAttempt(const Query& query)
{
    DeliveryAttempt attempt;
    attempt.attempt = int(query.int64(0));
    attempt.kind = query.text(1);
    attempt.replayOf = narrow(query.optInt64(2));
    attempt.url = query.text(3);
    attempt.startedAtMs = query.int64(4);
    attempt.finishedAtMs = query.optInt64(5);
    attempt.outcome = query.text(6);
    attempt.outcomeClass = query.text(7);
    attempt.statusCode = narrow(query.optInt64(8));
    attempt.errorCode = query.text(9);
    attempt.error = query.text(10);
    attempt.peer = query.text(11);
    attempt.requestHeaders = query.text(12);
    attempt.responseHeaders = query.text(13);
    attempt.responseBody = query.bytes(14);
    attempt.dnsUs = query.int64(15);
    attempt.connectUs = query.int64(16);
    attempt.tlsUs = query.int64(17);
    attempt.firstByteUs = query.int64(18);
    attempt.totalUs = query.int64(19);
    attempt.nextAtMs = query.optInt64(20);
    attempt.nextReason = query.text(21);
    attempt.tlsVersion = query.text(22);
    attempt.certificateEndsAtMs = query.optInt64(23);
    attempt.endpointVersion = narrow(query.optInt64(24));
    return attempt;
}

} // namespace

Result<QList<DeliveryRow>> rows(Connection& db, const std::vector<qint64>& keys)
{
    QList<DeliveryRow> found;
    found.reserve(qsizetype(keys.size()));
    for (const qint64 key : keys) {
        auto query = db.query(kByKey);
        query.bind(key);
        if (query.next())
            found.append(read(query));
        REDRIVE_TRY(query.status());
    }
    return found;
}

Result<std::optional<DeliveryRow>> row(Connection& db, const QString& id)
{
    auto query = db.query(kById);
    query.bind(id);
    std::optional<DeliveryRow> found;
    if (query.next())
        found = read(query);
    REDRIVE_TRY(query.status());
    return found;
}

Result<QList<DeliveryRow>> ofJob(Connection& db, const QString& jobId)
{
    auto query = db.query(kOfJob);
    query.bind(jobId);
    QList<DeliveryRow> found;
    while (query.next())
        found.append(read(query));
    REDRIVE_TRY(query.status());
    return found;
}

Result<QList<DeliveryAttempt>> attempts(Connection& db, const QString& id)
{
    auto query = db.query(kAttempts);
    query.bind(id);
    QList<DeliveryAttempt> attempts;
    while (query.next())
        attempts.append(readAttempt(query));
    REDRIVE_TRY(query.status());
    return attempts;
}

Result<QByteArray> body(Connection& db, const QString& eventId)
{
    auto query = db.query(kBody);
    query.bind(eventId);
    const QByteArray body = query.next() ? query.bytes(0) : QByteArray();
    REDRIVE_TRY(query.status());
    return body;
}

} // namespace redrive::delivery_read_store
