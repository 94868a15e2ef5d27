#include "core/store/endpoint_stats_store.h"

namespace redrive::endpoint_stats_store {

namespace {

#define REDRIVE_CLASSES                                                                                      \
    "within_5_ms, within_10_ms, within_20_ms, within_50_ms, within_100_ms, within_200_ms, within_500_ms, "   \
    "within_1000_ms, within_2000_ms, within_5000_ms, within_10000_ms, within_30000_ms"
constexpr char kAdd[] =
    "INSERT INTO endpoint_stats AS known (endpoint_id, slot_ms, attempts, delivered, " REDRIVE_CLASSES ") "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (endpoint_id, slot_ms) DO UPDATE "
    "SET "
    "attempts = known.attempts + excluded.attempts, "
    "delivered = known.delivered + excluded.delivered, "
    "within_5_ms = known.within_5_ms + excluded.within_5_ms, "
    "within_10_ms = known.within_10_ms + excluded.within_10_ms, "
    "within_20_ms = known.within_20_ms + excluded.within_20_ms, "
    "within_50_ms = known.within_50_ms + excluded.within_50_ms, "
    "within_100_ms = known.within_100_ms + excluded.within_100_ms, "
    "within_200_ms = known.within_200_ms + excluded.within_200_ms, "
    "within_500_ms = known.within_500_ms + excluded.within_500_ms, "
    "within_1000_ms = known.within_1000_ms + excluded.within_1000_ms, "
    "within_2000_ms = known.within_2000_ms + excluded.within_2000_ms, "
    "within_5000_ms = known.within_5000_ms + excluded.within_5000_ms, "
    "within_10000_ms = known.within_10000_ms + excluded.within_10000_ms, "
    "within_30000_ms = known.within_30000_ms + excluded.within_30000_ms";
constexpr char kPrune[] = "DELETE FROM endpoint_stats WHERE (endpoint_id, slot_ms) IN (SELECT endpoint_id, "
                          "slot_ms FROM endpoint_stats WHERE slot_ms < ? LIMIT ?)";
constexpr char kSince[] =
    "SELECT endpoint_id, sum(attempts), sum(delivered), sum(within_5_ms), sum(within_10_ms), "
    "sum(within_20_ms), sum(within_50_ms), sum(within_100_ms), sum(within_200_ms), sum(within_500_ms), "
    "sum(within_1000_ms), sum(within_2000_ms), sum(within_5000_ms), sum(within_10000_ms), "
    "sum(within_30000_ms) FROM endpoint_stats WHERE slot_ms >= ? GROUP BY endpoint_id";
constexpr char kSlots[] = "SELECT slot_ms, attempts, delivered, " REDRIVE_CLASSES
                          " FROM endpoint_stats WHERE endpoint_id = ? AND slot_ms >= ? ORDER BY slot_ms";
#undef REDRIVE_CLASSES

EndpointFigures figuresOf(const Query& query)
{
    EndpointFigures figures;
    figures.attempts = query.int64(1);
    figures.delivered = query.int64(2);
    for (size_t i = 0; i < figures.answered.size(); ++i)
        figures.answered[i] = query.int64(3 + int(i));
    return figures;
}

} // namespace

Status add(Cycle& cycle, const QString& endpointId, const EndpointFigures& figures)
{
    auto query = cycle.db.query(kAdd);
    query.bind(endpointId).bind(cycle.nowMs - cycle.nowMs % kEndpointSlotMs);
    query.bind(figures.attempts).bind(figures.delivered);
    for (const qint64 count : figures.answered)
        query.bind(count);
    REDRIVE_TRY(query.run());
    cycle.changes.endpoints = true;
    return {};
}

Result<int> prune(Cycle& cycle, qint64 beforeMs, int limit)
{
    auto query = cycle.db.query(kPrune);
    REDRIVE_ASSIGN(gone, query.bind(beforeMs).bind(limit).run());
    return int(gone);
}

Result<QList<std::pair<QString, EndpointFigures>>> since(Connection& db, qint64 sinceMs)
{
    auto query = db.query(kSince);
    query.bind(sinceMs);
    QList<std::pair<QString, EndpointFigures>> found;
    while (query.next())
        found.append({query.text(0), figuresOf(query)});
    REDRIVE_TRY(query.status());
    return found;
}

Result<QList<EndpointSlot>> slotsOf(Connection& db, const QString& endpointId, qint64 sinceMs)
{
    auto query = db.query(kSlots);
    query.bind(endpointId).bind(sinceMs);
    QList<EndpointSlot> found;
    while (query.next())
        found.append({query.int64(0), figuresOf(query)});
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::endpoint_stats_store
