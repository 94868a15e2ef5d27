#include "core/store/telemetry_store.h"

namespace redrive::telemetry_store {

namespace {

constexpr char kInsert[] = "INSERT INTO system_telemetry (id, source, tenant_id, payload, created_at) "
                           "VALUES (?, ?, ?, {exact:?}, ?) ON CONFLICT (id) DO NOTHING";
constexpr char kSize[] = "SELECT row_count, bytes, COALESCE(kept_rows, 0), COALESCE(kept_bytes, 0) "
                         "FROM telemetry_size WHERE only = 1";
constexpr char kAdded[] =
    "UPDATE telemetry_size SET row_count = row_count + ?, bytes = bytes + ? WHERE only = 1";
constexpr char kPruning[] = "SELECT reason, row_count, bytes, last_rows, last_at_ms FROM telemetry_pruned";
// The oldest of both sources by the index on them; an index by time alone would cost every insert.
constexpr char kDelete[] =
    "DELETE FROM system_telemetry WHERE {rowkey} IN (SELECT k FROM ("
    "SELECT * FROM (SELECT {rowkey} AS k, created_at AS t FROM system_telemetry WHERE source = 'audit' "
    "AND created_at > ? AND created_at <= ? ORDER BY created_at LIMIT ?) UNION ALL "
    "SELECT * FROM (SELECT {rowkey} AS k, created_at AS t FROM system_telemetry WHERE source = 'metric' "
    "AND created_at > ? AND created_at <= ? ORDER BY created_at LIMIT ?)) ORDER BY t, k LIMIT ?)";
constexpr char kKeptUntil[] = "SELECT kept_until FROM telemetry_size WHERE only = 1";
constexpr char kNote[] =
    "INSERT INTO telemetry_pruned (reason, row_count, bytes, last_rows, last_at_ms) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (reason) DO UPDATE SET row_count = row_count + excluded.row_count, "
    "bytes = bytes + excluded.bytes, last_rows = excluded.last_rows + CASE WHEN ? THEN last_rows ELSE 0 END, "
    "last_at_ms = excluded.last_at_ms";

void bindField(Query& query, const TelemetryField& field)
{
    if (field.isText())
        query.bind(field.text);
    else
        query.bind(field.otherJson); // as a blob, which no column of text takes
}

Result<qint64> keptUntil(Connection& db)
{
    auto query = db.query(kKeptUntil);
    const qint64 until = query.next() ? query.int64(0) : 0;
    REDRIVE_TRY(query.status());
    return until;
}

Status notePruned(Cycle& cycle, PruneReason reason, qint64 rows, qint64 bytes, bool passGoesOn)
{
    auto note = cycle.db.query(kNote);
    note.bind(reason == PruneReason::Age ? u"age"_s : u"size"_s).bind(rows).bind(bytes).bind(rows);
    REDRIVE_TRY(note.bind(cycle.nowMs).bind(qint64(passGoesOn)).run());
    return {};
}

} // namespace

Result<bool> insert(Cycle& cycle, const NewTelemetry& row)
{
    REDRIVE_ASSIGN(added, insertUncounted(cycle, row));
    if (added)
        REDRIVE_TRY(noteAdded(cycle, {1, row.payload.size()}));
    return added;
}

Status noteAdded(Cycle& cycle, const TelemetrySize& added)
{
    auto query = cycle.db.query(kAdded);
    REDRIVE_TRY(query.bind(added.rows).bind(added.bytes).run());
    return {};
}

Result<bool> insertUncounted(Cycle& cycle, const NewTelemetry& row)
{
    auto query = cycle.db.query(kInsert);
    query.bind(row.id);
    bindField(query, row.source);
    bindField(query, row.tenantId);
    auto rows = query.bind(row.payload).bind(row.createdAtMs).run();
    if (rows)
        return *rows == 1;
    Error error = std::move(rows.error());
    // An error without a kind, of a statement that can be prepared: this row's values made it (a check
    // overflowed).
    if (error.kind == ErrorKind::Internal && cycle.db.dynamicQuery(QString::fromLatin1(kInsert)).status())
        error.kind = ErrorKind::Constraint;
    return fail(std::move(error));
}

Result<TelemetrySize> size(Connection& db)
{
    auto query = db.query(kSize);
    TelemetrySize size;
    if (query.next())
        size = {query.int64(0), query.int64(1), query.int64(2), query.int64(3)};
    REDRIVE_TRY(query.status());
    return size;
}

Result<TelemetryPruning> pruning(Connection& db)
{
    auto query = db.query(kPruning);
    TelemetryPruning all;
    while (query.next())
        (query.text(0) == u"age" ? all.byAge : all.bySize) = {query.int64(1), query.int64(2), query.int64(3),
                                                              query.int64(4)};
    REDRIVE_TRY(query.status());
    return all;
}

Result<int> deleteOldest(Cycle& cycle, PruneReason reason, qint64 untilMs, int limit, bool passGoesOn)
{
    REDRIVE_ASSIGN(after, keptUntil(cycle.db));
    REDRIVE_ASSIGN(before, size(cycle.db));
    auto query = cycle.db.query(kDelete);
    query.bind(after).bind(untilMs).bind(limit).bind(after).bind(untilMs).bind(limit).bind(limit);
    REDRIVE_ASSIGN(rows, query.run());
    if (rows == 0)
        return 0;
    REDRIVE_ASSIGN(left, size(cycle.db));
    REDRIVE_TRY(notePruned(cycle, reason, rows, before.bytes - left.bytes, passGoesOn));
    return int(rows);
}

} // namespace redrive::telemetry_store
