#include "core/store/endpoint_store.h"

namespace redrive::endpoint_store {

namespace {

constexpr char kRevision[] = "SELECT max(revision) FROM endpoint_revision";
constexpr char kNoteChange[] = "UPDATE endpoint_revision SET revision = revision + 1";

#define REDRIVE_ENDPOINT                                                                                     \
    "SELECT e.id, e.origin, e.version, v.settings, e.deleted_at_ms IS NOT NULL FROM endpoints e "            \
    "LEFT JOIN endpoint_versions v ON v.endpoint_id = e.id AND v.version = e.version "
constexpr char kRegistered[] =
    REDRIVE_ENDPOINT "WHERE e.version > 0 AND e.deleted_at_ms IS NULL ORDER BY e.{rowkey}";
constexpr char kFind[] = REDRIVE_ENDPOINT "WHERE e.id = ?";
#undef REDRIVE_ENDPOINT

constexpr char kNewestVersion[] = "SELECT max(version) FROM endpoint_versions WHERE endpoint_id = ?";
constexpr char kAddVersion[] = "INSERT INTO endpoint_versions (endpoint_id, version, settings, made_at_ms, "
                               "made_by) VALUES (?, ?, {exact:?}, ?, ?)";
constexpr char kSet[] = "INSERT INTO endpoints (id, origin, version, url, created_at_ms, updated_at_ms) "
                        "VALUES (?, ?, ?, ?, ?, ?) "
                        "ON CONFLICT (id) DO UPDATE SET origin = excluded.origin, version = "
                        "excluded.version, url = excluded.url, "
                        "updated_at_ms = excluded.updated_at_ms, deleted_at_ms = NULL";
constexpr char kDelete[] = "UPDATE endpoints SET deleted_at_ms = ?, updated_at_ms = ? WHERE id = ?";
constexpr char kNotePayload[] =
    "INSERT INTO endpoints (id, origin, version, url, created_at_ms, updated_at_ms) "
    "VALUES (?, 'payload', 0, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET url = excluded.url, "
    "updated_at_ms = excluded.updated_at_ms WHERE endpoints.origin = 'payload'";

constexpr char kForgetPayload[] =
    "DELETE FROM endpoints WHERE id IN (SELECT id FROM endpoints WHERE origin = "
    "'payload' AND updated_at_ms <= ? LIMIT ?)";

StoredEndpoint rowOf(const Query& query)
{
    return {query.text(0), endpointOriginFrom(query.text(1)), int(query.int64(2)), query.bytes(3),
            query.int64(4) != 0};
}

} // namespace

Result<qint64> revision(Connection& db)
{
    auto query = db.query(kRevision);
    const qint64 revision = query.next() ? query.int64(0) : 0;
    REDRIVE_TRY(query.status());
    return revision;
}

Status noteChange(Cycle& cycle)
{
    auto query = cycle.db.query(kNoteChange);
    REDRIVE_TRY(query.run());
    cycle.changes.endpoints = true;
    return {};
}

Result<QList<StoredEndpoint>> registered(Connection& db)
{
    auto query = db.query(kRegistered);
    QList<StoredEndpoint> found;
    while (query.next())
        found.append(rowOf(query));
    REDRIVE_TRY(query.status());
    return found;
}

Result<std::optional<StoredEndpoint>> find(Connection& db, const QString& id)
{
    auto query = db.query(kFind);
    query.bind(id);
    std::optional<StoredEndpoint> found;
    if (query.next())
        found = rowOf(query);
    REDRIVE_TRY(query.status());
    return found;
}

Result<int> addVersion(Cycle& cycle, const QString& id, EndpointOrigin origin, const QString& url,
                       const QByteArray& settings, const QString& madeBy)
{
    int version = 1;
    {
        auto newest = cycle.db.query(kNewestVersion);
        newest.bind(id);
        if (newest.next())
            version = int(newest.int64(0)) + 1;
        REDRIVE_TRY(newest.status());
    }
    auto add = cycle.db.query(kAddVersion);
    REDRIVE_TRY(add.bind(id).bind(version).bind(settings).bind(cycle.nowMs).bind(madeBy).run());
    auto set = cycle.db.query(kSet);
    set.bind(id).bind(toText(origin)).bind(version).bind(url).bind(cycle.nowMs).bind(cycle.nowMs);
    REDRIVE_TRY(set.run());
    REDRIVE_TRY(noteChange(cycle));
    return version;
}

Status markDeleted(Cycle& cycle, const QString& id)
{
    auto query = cycle.db.query(kDelete);
    REDRIVE_TRY(query.bind(cycle.nowMs).bind(cycle.nowMs).bind(id).run());
    return noteChange(cycle);
}

Status notePayload(Cycle& cycle, const QString& id, const QString& url)
{
    auto query = cycle.db.query(kNotePayload);
    REDRIVE_TRY(query.bind(id).bind(url).bind(cycle.nowMs).bind(cycle.nowMs).run());
    cycle.changes.endpoints = true;
    return {};
}

Result<int> forgetPayload(Cycle& cycle, qint64 untilMs, int limit)
{
    auto query = cycle.db.query(kForgetPayload);
    REDRIVE_ASSIGN(gone, query.bind(untilMs).bind(limit).run());
    return int(gone);
}

} // namespace redrive::endpoint_store
