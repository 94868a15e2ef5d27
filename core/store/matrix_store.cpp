#include "core/store/matrix_store.h"

#include "core/store/list_store.h"
#include "core/store/row_values.h"

#include <QSet>

namespace redrive::matrix_store {

namespace {

constexpr qint64 kMostSearched = 200'000;

constexpr char kNewest[] = "SELECT id FROM webhook_events ORDER BY {rowkey} DESC LIMIT ?";
constexpr char kEventOf[] = "SELECT event_id FROM webhook_deliveries WHERE {rowkey} = ?";
constexpr char kEvent[] = "SELECT event_type, created_at_ms FROM webhook_events WHERE id = ?";
constexpr char kDeliveries[] =
    "SELECT {rowkey}, endpoint_id, status, discarded, attempts, due_at_ms, substr(error, 1, 300) "
    "FROM webhook_deliveries WHERE event_id = ?";

struct Ids
{
    QStringList found;
    bool more = false;
};

Result<Ids> newestOfAll(Connection& db, int limit)
{
    auto query = db.query(kNewest);
    query.bind(limit + 1);
    Ids ids;
    while (query.next())
        ids.found.append(query.text(0));
    REDRIVE_TRY(query.status());
    ids.more = ids.found.size() > limit;
    ids.found = ids.found.first(std::min<qsizetype>(limit, ids.found.size()));
    return ids;
}

Result<QString> eventOf(Connection& db, qint64 key)
{
    auto query = db.query(kEventOf);
    query.bind(key);
    const QString id = query.next() ? query.text(0) : QString();
    REDRIVE_TRY(query.status());
    return id;
}

Result<Ids> newestMatching(Connection& db, const QString& filter, int limit, qint64 nowMs)
{
    ListRequest request;
    request.kind = ListKind::Deliveries;
    request.filter = filter;
    REDRIVE_ASSIGN(cursor, ListCursor::open(request, nowMs));
    Ids ids;
    QSet<QString> seen;
    for (;;) {
        REDRIVE_ASSIGN(slice, cursor->next(db));
        for (const qint64 key : slice.keys) {
            REDRIVE_ASSIGN(id, eventOf(db, key));
            if (id.isEmpty() || seen.contains(id))
                continue;
            if (ids.found.size() == limit) {
                ids.more = true;
                return ids;
            }
            seen.insert(id);
            ids.found.append(id);
        }
        ids.more = !slice.last;
        if (slice.last || slice.searched >= kMostSearched)
            return ids;
    }
}

Result<std::vector<Delivery>> deliveriesOf(Connection& db, const QString& eventId)
{
    auto query = db.query(kDeliveries);
    query.bind(eventId);
    std::vector<Delivery> found;
    while (query.next()) {
        Delivery delivery;
        delivery.endpointId = query.text(1);
        MatrixCell& cell = delivery.cell;
        cell.kind = MatrixCell::Kind::Delivery;
        cell.key = query.int64(0);
        cell.status = deliveryStatusFrom(query.text(2)).value_or(DeliveryStatus::Cancelled);
        cell.discarded = query.int64(3) != 0;
        cell.attempts = countOf(query, 4);
        cell.dueAtMs = query.optInt64(5);
        cell.error = query.text(6).section(u'\n', 0, 0);
        found.push_back(std::move(delivery));
    }
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace

Result<Found> newest(Connection& db, const QString& filter, int limit, qint64 nowMs)
{
    const bool all = filter.trimmed().isEmpty();
    REDRIVE_ASSIGN(ids, all ? newestOfAll(db, limit) : newestMatching(db, filter, limit, nowMs));
    Found found;
    found.more = ids.more;
    for (const QString& id : std::as_const(ids.found)) {
        Event event;
        event.event.id = id;
        {
            auto query = db.query(kEvent);
            query.bind(id);
            if (query.next()) {
                event.event.type = query.text(0);
                event.event.createdAtMs = query.int64(1);
            }
            REDRIVE_TRY(query.status());
        }
        REDRIVE_ASSIGN(deliveries, deliveriesOf(db, id));
        event.deliveries = std::move(deliveries);
        found.events.push_back(std::move(event));
    }
    return found;
}

} // namespace redrive::matrix_store
