#include "core/store/timer_read_store.h"

#include "core/domain/attempts.h"
#include "core/store/row_values.h"

namespace redrive::timer_read_store {

namespace {

constexpr char kJob[] =
    "SELECT id, type, queue, attempts, reason, substr(error, 1, 300), due_at_ms, "
    "updated_at_ms, updated_at, crashes FROM jobs WHERE {rowkey} = ? AND due_at_ms IS NOT NULL";
constexpr char kDelivery[] =
    "SELECT id, event_type, endpoint_id, spent, budget, reason, substr(error, 1, 300), due_at_ms, "
    "updated_at_ms, created_at, "
    "(SELECT b.open_until_ms FROM endpoint_breakers b WHERE b.endpoint_id = webhook_deliveries.endpoint_id) "
    "FROM webhook_deliveries WHERE {rowkey} = ? AND due_at_ms IS NOT NULL";

TimerRow readJob(const Query& query, const QueueAttempts& attempts)
{
    TimerRow row;
    row.id = query.text(0);
    row.type = query.text(1);
    row.queue = query.text(2);
    row.attempts = int(query.int64(3));
    row.maxAttempts = attemptsGranted(attempts.value(row.queue), countOf(query, 9));
    row.reason = query.text(4);
    row.error = query.text(5);
    row.dueAtMs = query.int64(6);
    row.updatedAtMs = rowTimeMs(query, 7, 8);
    return row;
}

TimerRow readDelivery(const Query& query)
{
    TimerRow row;
    row.isDelivery = true;
    row.id = query.text(0);
    row.type = query.text(1);
    row.endpointId = query.text(2);
    row.attempts = int(query.int64(3));
    row.maxAttempts = int(query.int64(4));
    row.reason = query.text(5);
    row.error = query.text(6);
    row.dueAtMs = query.int64(7);
    row.updatedAtMs = rowTimeMs(query, 8, 9);
    row.breakerUntilMs = query.optInt64(10);
    return row;
}

} // namespace

Result<QList<TimerRow>> rows(Connection& db, const std::vector<qint64>& keys, const QueueAttempts& attempts)
{
    QList<TimerRow> found;
    found.reserve(qsizetype(keys.size()));
    for (const qint64 key : keys) {
        const bool isDelivery = key % 2 != 0;
        auto query = db.query(isDelivery ? kDelivery : kJob);
        query.bind(key / 2);
        if (query.next()) {
            found.append(isDelivery ? readDelivery(query) : readJob(query, attempts));
            found.last().key = key;
        }
        REDRIVE_TRY(query.status());
    }
    return found;
}

} // namespace redrive::timer_read_store
