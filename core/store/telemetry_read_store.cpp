#include "core/store/telemetry_read_store.h"

#include "core/store/telemetry_source.h"

#include <algorithm>

namespace redrive::telemetry_read_store {

namespace {

constexpr char kBeginning[] =
    "SELECT id, source, tenant_id, substr(payload, 1, 300), length({bytes:payload}), created_at "
    "FROM system_telemetry WHERE {rowkey} = ?";
constexpr char kWhole[] = "SELECT id, source, tenant_id, payload, length({bytes:payload}), created_at "
                          "FROM system_telemetry WHERE {rowkey} = ?";
constexpr char kPayload[] = "SELECT length(b), substr(b, ? + 1, ?) FROM "
                            "(SELECT {bytes:payload} AS b FROM system_telemetry WHERE {rowkey} = ?) p";
constexpr char kOldest[] = "SELECT created_at FROM system_telemetry WHERE source = ? AND created_at >= 0 "
                           "ORDER BY created_at LIMIT 1";

Result<QList<TelemetryRow>> read(Connection& db, const char* statement, const std::vector<qint64>& keys)
{
    QList<TelemetryRow> found;
    found.reserve(qsizetype(keys.size()));
    for (const qint64 key : keys) {
        auto query = db.query(statement);
        query.bind(key);
        if (query.next())
            found.append({key, query.text(0), query.text(1), query.text(2), query.text(3), query.int64(4),
                          query.int64(5)});
        REDRIVE_TRY(query.status());
    }
    return found;
}

} // namespace

Result<QList<TelemetryRow>> rows(Connection& db, const std::vector<qint64>& keys)
{
    return read(db, kBeginning, keys);
}

Result<QList<TelemetryRow>> wholeRows(Connection& db, const std::vector<qint64>& keys)
{
    return read(db, kWhole, keys);
}

Result<std::optional<JobPayload>> payload(Connection& db, qint64 key, qint64 offset, qint64 bytes)
{
    auto query = db.query(kPayload);
    query.bind(offset).bind(bytes).bind(key);
    std::optional<JobPayload> found;
    if (query.next())
        found = JobPayload{query.bytes(1), query.int64(0)};
    REDRIVE_TRY(query.status());
    return found;
}

Result<std::optional<qint64>> oldestMs(Connection& db)
{
    REDRIVE_ASSIGN(kinds, telemetryKinds(db));
    std::optional<qint64> oldest;
    for (const QString& kind : kinds) {
        if (kind.isNull())
            continue; // a user's own
        auto query = db.query(kOldest);
        query.bind(kind);
        if (query.next())
            oldest = std::min(oldest.value_or(query.int64(0)), query.int64(0));
        REDRIVE_TRY(query.status());
    }
    return oldest;
}

} // namespace redrive::telemetry_read_store
