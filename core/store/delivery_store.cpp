#include "core/store/delivery_store.h"

#include "core/base/ids.h"
#include "core/domain/reason.h"
#include "core/store/row_values.h"

namespace redrive::delivery_store {

namespace {

constexpr char kInsert[] =
    "INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, created_at, event_id, job_id, url, "
    "settings, budget, retry_base_ms, due_at_ms, reason, created_at_ms, updated_at_ms, replay_of) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, {exact:?}, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (event_id, endpoint_id) WHERE event_id IS NOT NULL DO NOTHING";
constexpr char kDue[] =
    "SELECT {rowkey}, id, event_id, job_id, url, {bytes:settings}, attempts, replay_of "
    "FROM webhook_deliveries "
    "WHERE endpoint_id = ? AND send_class = ? AND due_at_ms <= ? ORDER BY due_at_ms LIMIT ?";
constexpr char kDueReplays[] =
    "SELECT {rowkey}, id, event_id, job_id, url, {bytes:settings}, attempts, replay_of FROM "
    "webhook_deliveries "
    "WHERE endpoint_id = ? AND send_class = ? AND due_at_ms <= ? AND replay_of IS NOT NULL "
    "ORDER BY due_at_ms LIMIT ?";
#define REDRIVE_CLAIM                                                                                        \
    "UPDATE webhook_deliveries SET status = 'sending', attempts = ?, due_at_ms = NULL, reason = NULL, "      \
    "instance_no = ?, updated_at_ms = ? "
constexpr char kClaim[] = REDRIVE_CLAIM "WHERE {rowkey} = ?";
constexpr char kClaimFirst[] = REDRIVE_CLAIM "WHERE {rowkey} IN {numbers:?}";
#undef REDRIVE_CLAIM
constexpr char kPutOff[] = "UPDATE webhook_deliveries SET due_at_ms = ? WHERE {rowkey} = ?";
constexpr char kTerms[] =
    "SELECT spent, budget, retry_base_ms, replay_of, resume_status, resume_at_ms, endpoint_id, event_type, "
    "created_at_ms, stop_asked_ms IS NOT NULL FROM webhook_deliveries WHERE {rowkey} = ?";
constexpr char kSettle[] =
    "UPDATE webhook_deliveries SET status = ?, reason = ?, error = ?, spent = spent + ?, due_at_ms = ?, "
    "send_class = COALESCE(?, send_class), "
    "replay_of = ?, resume_status = ?, resume_at_ms = ?, instance_no = NULL, stop_asked_ms = NULL, "
    "updated_at_ms = ? WHERE {rowkey} = ? AND instance_no = ? AND attempts = ? AND status = 'sending'";

// The usual case with a third of the binds.
#define REDRIVE_SETTLE_DELIVERED                                                                             \
    "UPDATE webhook_deliveries SET status = 'delivered', reason = NULL, error = NULL, spent = spent + 1, "   \
    "due_at_ms = NULL, replay_of = NULL, resume_status = NULL, resume_at_ms = NULL, instance_no = NULL, "    \
    "stop_asked_ms = NULL, updated_at_ms = ? WHERE instance_no = ? AND status = 'sending' "
constexpr char kSettleDelivered[] = REDRIVE_SETTLE_DELIVERED "AND {rowkey} = ? AND attempts = ?";
constexpr char kSettleFirstDelivered[] =
    REDRIVE_SETTLE_DELIVERED "AND {rowkey} IN {numbers:?} AND attempts = 1";
// What is NULL already is not set again: each column set costs a look at the indexes it is part of.
constexpr char kSettlePlainDelivered[] =
    "UPDATE webhook_deliveries SET status = 'delivered', spent = spent + 1, instance_no = NULL, "
    "updated_at_ms = ? WHERE instance_no = ? AND status = 'sending' AND {rowkey} IN {numbers:?} "
    "AND attempts = 1 AND reason IS NULL AND error IS NULL AND due_at_ms IS NULL AND replay_of IS NULL "
    "AND resume_status IS NULL AND resume_at_ms IS NULL AND stop_asked_ms IS NULL";
#undef REDRIVE_SETTLE_DELIVERED

std::optional<qint64> wide(std::optional<int> value)
{
    return value ? std::optional<qint64>(*value) : std::nullopt;
}

std::optional<int> narrow(std::optional<qint64> value)
{
    return value ? std::optional<int>(int(*value)) : std::nullopt;
}

Status readDue(Query& query, std::vector<DueDelivery>& found)
{
    while (query.next()) {
        DueDelivery& delivery = found.emplace_back();
        delivery.rowKey = query.int64(0);
        delivery.id = query.text(1);
        delivery.eventId = query.text(2);
        delivery.jobId = query.text(3);
        delivery.url = query.text(4);
        if (!query.isNull(5))
            delivery.settings = query.bytes(5);
        delivery.attempts = countOf(query, 6);
        delivery.replayOf = narrow(query.optInt64(7));
    }
    return query.status();
}

} // namespace

Result<bool> insert(Cycle& cycle, const WebhookEvent& event, const NewDelivery& delivery)
{
    const bool held = !delivery.heldReason.isEmpty();
    const QString id = newId(cycle.nowMs);
    auto query = cycle.db.query(kInsert);
    query.bind(id).bind(delivery.endpointId).bind(event.type);
    query.bind(toText(held ? DeliveryStatus::Held : DeliveryStatus::Pending)).bind(cycle.nowSeconds());
    query.bind(event.id).bind(event.jobId).bind(delivery.url);
    if (delivery.settings)
        query.bind(*delivery.settings);
    else
        query.bindNull();
    query.bind(delivery.budget).bind(delivery.retryBaseMs);
    query.bind(held ? std::nullopt : std::optional(cycle.nowMs)).bindTextOrNull(delivery.heldReason);
    query.bind(cycle.nowMs).bind(cycle.nowMs);
    query.bind(delivery.isReplay ? std::optional<qint64>(0) : std::nullopt);
    REDRIVE_ASSIGN(changed, query.run());
    if (changed == 0)
        return false;
    cycle.changes.deliveries = true;
    cycle.changes.touch(id);
    return true;
}

Result<std::vector<DueDelivery>> due(Cycle& cycle, const QString& endpointId, SendClass sendClass, int limit)
{
    auto query = cycle.db.query(kDue);
    query.bind(endpointId).bind(int(sendClass)).bind(cycle.nowMs).bind(limit);
    std::vector<DueDelivery> found;
    REDRIVE_TRY(readDue(query, found));
    return found;
}

Result<std::vector<DueDelivery>> dueReplays(Cycle& cycle, const QString& endpointId, int limit)
{
    std::vector<DueDelivery> found;
    for (const SendClass sendClass : kSendClasses) { // without it the index gives no order
        const int left = limit - int(found.size());
        if (left <= 0)
            break;
        auto query = cycle.db.query(kDueReplays);
        query.bind(endpointId).bind(int(sendClass)).bind(cycle.nowMs).bind(left);
        REDRIVE_TRY(readDue(query, found));
    }
    return found;
}

Status claim(Cycle& cycle, const DueDelivery& delivery)
{
    auto query = cycle.db.query(kClaim);
    query.bind(delivery.attempts + 1).bind(cycle.instanceNo).bind(cycle.nowMs).bind(delivery.rowKey);
    REDRIVE_TRY(query.run());
    cycle.changes.deliveries = true;
    return {};
}

Status claimFirst(Cycle& cycle, const std::vector<qint64>& rowKeys)
{
    auto query = cycle.db.query(kClaimFirst);
    query.bind(1).bind(cycle.instanceNo).bind(cycle.nowMs).bindNumbers(rowKeys);
    REDRIVE_TRY(query.run());
    cycle.changes.deliveries = true;
    return {};
}

Status putOff(Cycle& cycle, qint64 rowKey, qint64 dueAtMs)
{
    auto query = cycle.db.query(kPutOff);
    query.bind(dueAtMs).bind(rowKey);
    REDRIVE_TRY(query.run());
    return {};
}

Result<std::optional<DeliveryTerms>> terms(Connection& db, qint64 rowKey)
{
    auto query = db.query(kTerms);
    query.bind(rowKey);
    std::optional<DeliveryTerms> found;
    if (query.next()) {
        found.emplace();
        found->spent = countOf(query, 0);
        found->budget = countOf(query, 1);
        found->retryBaseMs = query.optInt64(2);
        found->replayOf = narrow(query.optInt64(3));
        found->resumeStatus = deliveryStatusFrom(query.text(4));
        found->resumeAtMs = query.optInt64(5);
        found->endpointId = query.text(6);
        found->eventType = query.text(7);
        found->createdAtMs = query.int64(8);
        found->stopAsked = query.int64(9) != 0;
    }
    REDRIVE_TRY(query.status());
    return found;
}

Result<bool> settle(Cycle& cycle, qint64 rowKey, int attempt, const DeliverySettlement& settlement)
{
    auto query = cycle.db.query(kSettle);
    query.bind(toText(settlement.status)).bindTextOrNull(settlement.reason).bindTextOrNull(settlement.error);
    query.bind(settlement.spentNow).bind(settlement.dueAtMs);
    query.bind(settlement.sendClass ? std::optional<qint64>(int(*settlement.sendClass)) : std::nullopt);
    query.bind(wide(settlement.replayOf));
    query.bindTextOrNull(settlement.resumeStatus ? toText(*settlement.resumeStatus) : QString());
    query.bind(settlement.resumeAtMs).bind(cycle.nowMs);
    query.bind(rowKey).bind(cycle.instanceNo).bind(attempt);
    REDRIVE_ASSIGN(changed, query.run());
    cycle.changes.deliveries = true;
    return changed == 1;
}

Result<bool> settleDelivered(Cycle& cycle, qint64 rowKey, int attempt)
{
    auto query = cycle.db.query(kSettleDelivered);
    query.bind(cycle.nowMs).bind(cycle.instanceNo).bind(rowKey).bind(attempt);
    REDRIVE_ASSIGN(changed, query.run());
    cycle.changes.deliveries = true;
    return changed == 1;
}

Result<qint64> settleFirstDelivered(Cycle& cycle, const std::vector<qint64>& rowKeys)
{
    cycle.changes.deliveries = true;
    qint64 settled = 0;
    for (const char* statement : {kSettlePlainDelivered, kSettleFirstDelivered}) {
        if (settled == qint64(rowKeys.size()))
            break;
        auto query = cycle.db.query(statement);
        query.bind(cycle.nowMs).bind(cycle.instanceNo).bindNumbers(rowKeys);
        REDRIVE_ASSIGN(changed, query.run());
        settled += changed;
    }
    return settled;
}

} // namespace redrive::delivery_store
