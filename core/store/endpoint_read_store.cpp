#include "core/store/endpoint_read_store.h"

#include "core/store/endpoint_stats_store.h"

#include <QHash>

namespace redrive::endpoint_read_store {

namespace {

constexpr qint64 kDayMs = 86'400'000;
constexpr qint64 kShownMs = 2 * kDayMs;

#define REDRIVE_ENDPOINTS                                                                                    \
    "SELECT e.id, e.origin, e.version, e.url, v.settings, e.created_at_ms, e.updated_at_ms, "                \
    "e.deleted_at_ms, s.disabled_at_ms, s.disabled_cause, s.paused_at_ms, s.paused_until_ms, s.changed_by, " \
    "s.certificate_ends_at_ms, b.opened_at_ms, b.open_until_ms FROM endpoints e LEFT JOIN "                  \
    "endpoint_versions v ON v.endpoint_id = e.id "                                                           \
    "AND v.version = e.version LEFT JOIN webhook_endpoints s ON s.id = e.id LEFT JOIN endpoint_breakers b "  \
    "ON b.endpoint_id = e.id "
constexpr char kAll[] = REDRIVE_ENDPOINTS "ORDER BY e.id";
constexpr char kOne[] = REDRIVE_ENDPOINTS "WHERE e.id = ?";
#undef REDRIVE_ENDPOINTS
constexpr char kVersions[] = "SELECT version, settings, made_at_ms, made_by FROM endpoint_versions "
                             "WHERE endpoint_id = ? ORDER BY version DESC";
constexpr char kWaiting[] =
    "SELECT endpoint_id, count(*) FROM webhook_deliveries WHERE due_at_ms IS NOT NULL "
    "GROUP BY endpoint_id";
constexpr char kHeld[] =
    "SELECT endpoint_id, count(*) FROM webhook_deliveries WHERE status = 'held' GROUP BY endpoint_id";
constexpr char kDead[] = "SELECT endpoint_id, count(*) FROM webhook_deliveries WHERE status = 'dead' "
                         "AND discarded = 0 GROUP BY endpoint_id";

EndpointRow rowOf(const Query& query, qint64 nowMs)
{
    EndpointRow row;
    row.id = query.text(0);
    row.origin = endpointOriginFrom(query.text(1));
    row.version = int(query.int64(2));
    row.url = query.text(3);
    row.settings = query.bytes(4);
    row.createdAtMs = query.int64(5);
    row.updatedAtMs = query.int64(6);
    row.deletedAtMs = query.optInt64(7);
    row.disabledAtMs = query.optInt64(8);
    row.disabledCause = disabledCauseFrom(query.text(9));
    row.pausedAtMs = query.optInt64(10);
    row.pausedUntilMs = query.optInt64(11);
    if (row.pausedUntilMs && *row.pausedUntilMs <= nowMs)
        row.pausedUntilMs.reset();
    row.changedBy = query.text(12);
    row.certificateEndsAtMs = query.optInt64(13);
    row.breakerOpenedAtMs = query.optInt64(14);
    row.breakerUntilMs = query.optInt64(15);
    return row;
}

Result<QHash<QString, qint64>> countsBy(Connection& db, const char* statement)
{
    auto query = db.query(statement);
    QHash<QString, qint64> counts;
    while (query.next())
        counts.insert(query.text(0), query.int64(1));
    REDRIVE_TRY(query.status());
    return counts;
}

Status addFigures(Connection& db, QList<EndpointRow>& rows, qint64 nowMs)
{
    REDRIVE_ASSIGN(waiting, countsBy(db, kWaiting));
    REDRIVE_ASSIGN(held, countsBy(db, kHeld));
    REDRIVE_ASSIGN(dead, countsBy(db, kDead));
    REDRIVE_ASSIGN(since, endpoint_stats_store::since(db, nowMs - kDayMs));
    const QHash<QString, EndpointFigures> figures(since.begin(), since.end());
    for (EndpointRow& row : rows) {
        row.waiting = waiting.value(row.id);
        row.held = held.value(row.id);
        row.dead = dead.value(row.id);
        row.lastDay = figures.value(row.id);
    }
    return {};
}

} // namespace

Result<QList<EndpointRow>> list(Connection& db, qint64 nowMs)
{
    QList<EndpointRow> rows;
    {
        auto query = db.query(kAll);
        while (query.next())
            rows.append(rowOf(query, nowMs));
        REDRIVE_TRY(query.status());
    }
    REDRIVE_TRY(addFigures(db, rows, nowMs));
    rows.removeIf([](const EndpointRow& row) { return row.deletedAtMs && row.waiting + row.held == 0; });
    return rows;
}

Result<EndpointDetail> detail(Connection& db, const QString& id, qint64 nowMs)
{
    QList<EndpointRow> rows;
    {
        auto query = db.query(kOne);
        query.bind(id);
        if (query.next())
            rows.append(rowOf(query, nowMs));
        REDRIVE_TRY(query.status());
    }
    if (rows.isEmpty())
        return fail(ErrorKind::NotFound, u"there is no endpoint '%1'"_s.arg(id));
    REDRIVE_TRY(addFigures(db, rows, nowMs));
    EndpointDetail detail;
    detail.endpoint = std::move(rows.first());
    {
        auto query = db.query(kVersions);
        query.bind(id);
        while (query.next())
            detail.versions.append({int(query.int64(0)), query.bytes(1), query.int64(2), query.text(3)});
        REDRIVE_TRY(query.status());
    }
    REDRIVE_ASSIGN(shown, endpoint_stats_store::slotsOf(db, id, nowMs - kShownMs));
    detail.slots = std::move(shown);
    return detail;
}

} // namespace redrive::endpoint_read_store
