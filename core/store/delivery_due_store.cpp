#include "core/store/delivery_due_store.h"

namespace redrive::delivery_due_store {

namespace {

constexpr char kNextEndpoint[] =
    "SELECT endpoint_id, due_at_ms FROM webhook_deliveries WHERE endpoint_id > ? AND due_at_ms IS NOT NULL "
    "ORDER BY endpoint_id, due_at_ms LIMIT 1";
constexpr char kEndpointsDue[] =
    "SELECT endpoint_id FROM webhook_deliveries WHERE due_at_ms > ? AND due_at_ms <= ? "
    "ORDER BY due_at_ms LIMIT ?";
constexpr char kNextDue[] =
    "SELECT due_at_ms FROM webhook_deliveries WHERE due_at_ms > ? ORDER BY due_at_ms LIMIT 1";

} // namespace

Result<std::optional<EndpointDue>> nextEndpoint(Connection& db, const QString& endpointId)
{
    auto query = db.query(kNextEndpoint);
    query.bind(endpointId);
    std::optional<EndpointDue> found;
    if (query.next())
        found = EndpointDue{query.text(0), query.int64(1)};
    REDRIVE_TRY(query.status());
    return found;
}

Result<QStringList> endpointsDue(Connection& db, qint64 afterMs, qint64 untilMs, int limit)
{
    auto query = db.query(kEndpointsDue);
    query.bind(afterMs).bind(untilMs).bind(limit);
    QStringList found;
    while (query.next())
        found.append(query.text(0));
    REDRIVE_TRY(query.status());
    return found;
}

Result<std::optional<qint64>> nextDueAfter(Connection& db, qint64 afterMs)
{
    auto query = db.query(kNextDue);
    query.bind(afterMs);
    std::optional<qint64> found;
    if (query.next())
        found = query.int64(0);
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::delivery_due_store
