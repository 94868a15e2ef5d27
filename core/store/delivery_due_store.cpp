#include "core/store/delivery_due_store.h"

#include "core/domain/send_class.h"

#include <algorithm>
#include <limits>

namespace redrive::delivery_due_store {

namespace {

constexpr char kNextEndpoint[] =
    "SELECT endpoint_id FROM webhook_deliveries WHERE endpoint_id > ? AND due_at_ms IS NOT NULL "
    "ORDER BY endpoint_id LIMIT 1";
constexpr char kEarliest[] = "SELECT due_at_ms FROM webhook_deliveries WHERE endpoint_id = ? "
                             "AND send_class = ? AND due_at_ms IS NOT NULL ORDER BY due_at_ms LIMIT 1";
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
    if (!query.next()) {
        REDRIVE_TRY(query.status());
        return std::nullopt;
    }
    EndpointDue found{query.text(0), std::numeric_limits<qint64>::max()};
    for (const SendClass sendClass : kSendClasses) {
        auto earliest = db.query(kEarliest);
        earliest.bind(found.endpointId).bind(int(sendClass));
        if (earliest.next())
            found.earliestMs = std::min(found.earliestMs, earliest.int64(0));
        REDRIVE_TRY(earliest.status());
    }
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
