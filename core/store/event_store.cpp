#include "core/store/event_store.h"

namespace redrive::event_store {

namespace {

constexpr char kInsert[] = "INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
                           "VALUES (?, ?, ?, ?, {exact:?}, ?)";
constexpr char kOfJob[] = "SELECT id, run, event_type, {bytes:body} FROM webhook_events WHERE job_id = ?";
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
