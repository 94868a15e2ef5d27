#include "core/store/event_store.h"

namespace redrive::event_store {

namespace {

constexpr char kInsert[] = "INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
                           "VALUES (?, ?, ?, ?, {exact:?}, ?)";
constexpr char kOfJob[] = "SELECT id, run, event_type, {bytes:body} FROM webhook_events WHERE job_id = ?";
constexpr char kFind[] = "SELECT id, job_id, run, event_type, {bytes:body} FROM webhook_events WHERE id = ?";
constexpr char kTypeOf[] = "SELECT event_type FROM webhook_events WHERE id = ?";
constexpr char kWithoutDelivery[] =
    "SELECT e.id, e.event_type FROM webhook_events e WHERE e.created_at_ms >= ? AND NOT EXISTS "
    "(SELECT 1 FROM webhook_deliveries d WHERE d.event_id = e.id AND d.event_id IS NOT NULL "
    "AND d.endpoint_id = ?) ORDER BY e.id";
constexpr char kDeliveryOf[] = "SELECT id FROM webhook_deliveries WHERE event_id = ? "
                               "AND event_id IS NOT NULL AND endpoint_id = ?";
constexpr char kJobOf[] = "SELECT job_id FROM webhook_events WHERE id = ? OR id = "
                          "(SELECT event_id FROM webhook_deliveries WHERE id = ?) LIMIT 1";
constexpr char kQueueOf[] = "SELECT queue FROM jobs WHERE id = ?";
constexpr char kBody[] = "SELECT {bytes:body} FROM webhook_events WHERE id = ?";

} // namespace

Status insert(Cycle& cycle, const WebhookEvent& event)
{
    auto query = cycle.db.query(kInsert);
    query.bind(event.id).bind(event.jobId).bind(event.run).bind(event.type).bind(event.body);
    REDRIVE_TRY(query.bind(cycle.nowMs).run());
    return {};
}

Result<std::optional<WebhookEvent>> ofJob(Connection& db, const QString& jobId)
{
    auto query = db.query(kOfJob);
    query.bind(jobId);
    std::optional<WebhookEvent> event;
    if (query.next())
        event = WebhookEvent{query.text(0), jobId, int(query.int64(1)), query.text(2), query.bytes(3)};
    REDRIVE_TRY(query.status());
    return event;
}

Result<std::optional<WebhookEvent>> find(Connection& db, const QString& id)
{
    auto query = db.query(kFind);
    query.bind(id);
    std::optional<WebhookEvent> event;
    if (query.next())
        event =
            WebhookEvent{query.text(0), query.text(1), int(query.int64(2)), query.text(3), query.bytes(4)};
    REDRIVE_TRY(query.status());
    return event;
}

Result<std::optional<QString>> typeOf(Connection& db, const QString& id)
{
    auto query = db.query(kTypeOf);
    query.bind(id);
    std::optional<QString> type;
    if (query.next())
        type = query.text(0);
    REDRIVE_TRY(query.status());
    return type;
}

Result<QList<EventKind>> withoutDelivery(Connection& db, const QString& endpointId, qint64 sinceMs)
{
    auto query = db.query(kWithoutDelivery);
    query.bind(sinceMs).bind(endpointId);
    QList<EventKind> found;
    while (query.next())
        found.append({query.text(0), query.text(1)});
    REDRIVE_TRY(query.status());
    return found;
}

Result<bool> hasDelivery(Connection& db, const QString& id, const QString& endpointId)
{
    REDRIVE_ASSIGN(delivery, deliveryOf(db, id, endpointId));
    return !delivery.isEmpty();
}

Result<QString> deliveryOf(Connection& db, const QString& id, const QString& endpointId)
{
    auto query = db.query(kDeliveryOf);
    query.bind(id).bind(endpointId);
    const QString found = query.next() ? query.text(0) : QString();
    REDRIVE_TRY(query.status());
    return found;
}

Result<QString> jobOf(Connection& db, const QString& eventOrDeliveryId)
{
    auto query = db.query(kJobOf);
    query.bind(eventOrDeliveryId).bind(eventOrDeliveryId);
    const QString job = query.next() ? query.text(0) : QString();
    REDRIVE_TRY(query.status());
    return job;
}

Result<QString> queueOf(Connection& db, const QString& jobId)
{
    auto query = db.query(kQueueOf);
    query.bind(jobId);
    const QString queue = query.next() ? query.text(0) : QString();
    REDRIVE_TRY(query.status());
    return queue;
}

Result<std::optional<QByteArray>> body(Connection& db, const QString& id)
{
    auto query = db.query(kBody);
    query.bind(id);
    std::optional<QByteArray> found;
    if (query.next())
        found = query.bytes(0);
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::event_store
