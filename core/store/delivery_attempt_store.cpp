#include "core/store/delivery_attempt_store.h"

#include "core/domain/reason.h"
#include "core/store/cancel_actions.h"

#include <vector>

namespace redrive::delivery_attempt_store {

namespace {

constexpr char kBegin[] =
    "INSERT INTO delivery_attempts (delivery_id, attempt, kind, replay_of, instance_no, url, started_at_ms, "
    "request_headers, endpoint_version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr char kFinish[] =
    "UPDATE delivery_attempts SET finished_at_ms = ?, outcome = ?, class = ?, status_code = ?, error_code = "
    "?, "
    "error = ?, peer = ?, response_headers = ?, response_body = ?, dns_us = ?, connect_us = ?, tls_us = ?, "
    "first_byte_us = ?, total_us = ?, tls_version = ?, certificate_ends_at_ms = ?, next_at_ms = ?, "
    "next_reason = ? WHERE delivery_id = ? AND attempt = ? AND outcome IS NULL";
// The usual case, over plain http, with fewer binds.
constexpr char kFinishDelivered[] =
    "UPDATE delivery_attempts SET finished_at_ms = ?, outcome = 'delivered', class = 'answered', "
    "status_code = ?, peer = ?, response_headers = ?, response_body = ?, dns_us = ?, connect_us = ?, "
    "tls_us = ?, first_byte_us = ?, total_us = ? WHERE delivery_id = ? AND attempt = ? AND outcome IS NULL";
constexpr char kSendingOf[] =
    "SELECT {rowkey}, id, attempts, stop_asked_ms IS NOT NULL FROM webhook_deliveries "
    "WHERE instance_no = ? LIMIT ?";
constexpr char kInterrupt[] =
    "UPDATE delivery_attempts SET finished_at_ms = ?, outcome = 'interrupted', class = 'unknown', "
    "error_code = 'interrupted', error = ?, next_at_ms = ?, next_reason = ? "
    "WHERE delivery_id = ? AND attempt = ? AND outcome IS NULL";
constexpr char kDueAgain[] =
    "UPDATE webhook_deliveries SET status = 'pending', reason = ?, due_at_ms = ?, instance_no = NULL, "
    "updated_at_ms = ? WHERE {rowkey} = ?";

void bindAnswer(Query& query, const DeliveryAttempt& attempt)
{
    query.bindTextOrNull(attempt.peer).bindTextOrNull(attempt.responseHeaders);
    if (attempt.responseBody.isEmpty())
        query.bindNull();
    else
        query.bind(attempt.responseBody);
    query.bind(attempt.dnsUs).bind(attempt.connectUs).bind(attempt.tlsUs).bind(attempt.firstByteUs);
    query.bind(attempt.totalUs);
}

Status finishDelivered(Cycle& cycle, const QString& deliveryId, const DeliveryAttempt& attempt)
{
    auto query = cycle.db.query(kFinishDelivered);
    query.bind(cycle.nowMs).bind(attempt.statusCode.value_or(0));
    bindAnswer(query, attempt);
    REDRIVE_TRY(query.bind(deliveryId).bind(attempt.attempt).run());
    return {};
}

struct Interrupted
{
    qint64 rowKey;
    QString id;
    qint64 attempt;
    bool stopAsked;
};

Result<std::vector<Interrupted>> sendingOf(Connection& db, qint64 instanceNo, int limit)
{
    auto query = db.query(kSendingOf);
    query.bind(instanceNo).bind(limit);
    std::vector<Interrupted> found;
    while (query.next())
        found.push_back({query.int64(0), query.text(1), query.int64(2), query.int64(3) != 0});
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace

Status begin(Cycle& cycle, const QString& deliveryId, const DeliveryAttempt& attempt)
{
    auto query = cycle.db.query(kBegin);
    query.bind(deliveryId).bind(attempt.attempt).bind(attempt.kind);
    query.bind(attempt.replayOf ? std::optional<qint64>(*attempt.replayOf) : std::nullopt);
    query.bind(cycle.instanceNo).bind(attempt.url).bind(cycle.nowMs).bind(attempt.requestHeaders);
    query.bind(attempt.endpointVersion ? std::optional<qint64>(*attempt.endpointVersion) : std::nullopt);
    REDRIVE_TRY(query.run());
    return {};
}

Status finish(Cycle& cycle, const QString& deliveryId, const DeliveryAttempt& attempt)
{
    if (attempt.outcome == u"delivered" && attempt.tlsVersion.isEmpty())
        return finishDelivered(cycle, deliveryId, attempt);
    auto query = cycle.db.query(kFinish);
    query.bind(cycle.nowMs).bind(attempt.outcome).bind(attempt.outcomeClass);
    query.bind(attempt.statusCode ? std::optional<qint64>(*attempt.statusCode) : std::nullopt);
    query.bindTextOrNull(attempt.errorCode).bindTextOrNull(attempt.error);
    bindAnswer(query, attempt);
    query.bindTextOrNull(attempt.tlsVersion).bind(attempt.certificateEndsAtMs);
    query.bind(attempt.nextAtMs).bindTextOrNull(attempt.nextReason);
    REDRIVE_TRY(query.bind(deliveryId).bind(attempt.attempt).run());
    return {};
}

Result<int> interrupt(Cycle& cycle, qint64 endedInstanceNo, int limit)
{
    REDRIVE_ASSIGN(sending, sendingOf(cycle.db, endedInstanceNo, limit));
    for (const Interrupted& delivery : sending) {
        auto attempt = cycle.db.query(kInterrupt);
        attempt.bind(cycle.nowMs).bind(u"the engine ended before the answer was recorded"_s);
        if (delivery.stopAsked)
            attempt.bindNull().bind(u"none: the delivery was cancelled"_s);
        else
            attempt.bind(cycle.nowMs).bind(u"at once: an interrupted attempt uses up no budget"_s);
        REDRIVE_TRY(attempt.bind(delivery.id).bind(delivery.attempt).run());
        if (delivery.stopAsked) {
            REDRIVE_TRY(cancel_actions::endDelivery(cycle, delivery.rowKey, delivery.id));
            continue;
        }
        auto again = cycle.db.query(kDueAgain);
        again.bind(QString(reason::kInterrupted)).bind(cycle.nowMs).bind(cycle.nowMs).bind(delivery.rowKey);
        REDRIVE_TRY(again.run());
        cycle.changes.deliveries = true;
        cycle.changes.touch(delivery.id);
        cycle.lookAtDeliveries = true;
    }
    return int(sending.size());
}

} // namespace redrive::delivery_attempt_store
