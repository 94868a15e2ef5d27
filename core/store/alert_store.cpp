#include "core/store/alert_store.h"

#include "core/store/alert_examples.h"

namespace redrive::alert_store {

namespace {

constexpr char kNote[] = "INSERT INTO alert_notes (kind, subject, detail, at_ms) VALUES (?, ?, ?, ?)";
constexpr char kNotes[] = "SELECT no, kind, subject, detail, at_ms FROM alert_notes ORDER BY no LIMIT ?";
constexpr char kForgetNotes[] = "DELETE FROM alert_notes WHERE no <= ?";
constexpr char kReach[] = "SELECT letter_no FROM alert_reach";
constexpr char kSetReach[] = "UPDATE alert_reach SET letter_no = ?";

#define REDRIVE_GROUP_COLUMNS                                                                                \
    "SELECT signature, kind, title, window_ends_at_ms, waiting, first_at_ms, last_at_ms, examples "          \
    "FROM alert_groups WHERE "
constexpr char kGroup[] = REDRIVE_GROUP_COLUMNS "signature = ?";
constexpr char kEnded[] = REDRIVE_GROUP_COLUMNS
    "window_ends_at_ms <= ? OR window_ends_at_ms > ? ORDER BY window_ends_at_ms LIMIT ?";
#undef REDRIVE_GROUP_COLUMNS
constexpr char kSaveGroup[] =
    "INSERT INTO alert_groups (signature, kind, title, window_ends_at_ms, waiting, first_at_ms, last_at_ms, "
    "examples) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (signature) DO UPDATE SET "
    "window_ends_at_ms = excluded.window_ends_at_ms, waiting = excluded.waiting, "
    "first_at_ms = excluded.first_at_ms, last_at_ms = excluded.last_at_ms, examples = excluded.examples";
constexpr char kRemoveGroup[] = "DELETE FROM alert_groups WHERE signature = ?";
constexpr char kNextEnd[] = "SELECT min(window_ends_at_ms) FROM alert_groups";

constexpr char kAdd[] = "INSERT INTO alerts (kind, signature, title, is_digest, count, first_at_ms, "
                        "last_at_ms, examples, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr char kCountSince[] = "SELECT count(*) FROM alerts WHERE at_ms > ?";
constexpr char kNewest[] = "SELECT COALESCE(max(no), 0) FROM alerts";

#define REDRIVE_ALERT_COLUMNS                                                                                \
    "SELECT no, kind, signature, title, is_digest, count, first_at_ms, last_at_ms, examples, at_ms "         \
    "FROM alerts WHERE "
constexpr char kAlert[] = REDRIVE_ALERT_COLUMNS "no = ?";
constexpr char kNewer[] = REDRIVE_ALERT_COLUMNS "no > ? ORDER BY no DESC LIMIT ?";
#undef REDRIVE_ALERT_COLUMNS

AlertGroup readGroup(const Query& query)
{
    return {query.text(0),  alertKindFrom(query.text(1)),
            query.text(2),  query.int64(3),
            query.int64(4), query.int64(5),
            query.int64(6), examplesFrom(query.text(7))};
}

Alert readAlert(const Query& query)
{
    return {query.int64(0),
            alertKindFrom(query.text(1)),
            query.text(2),
            query.text(3),
            query.int64(4) != 0,
            query.int64(5),
            query.int64(6),
            query.int64(7),
            examplesFrom(query.text(8)),
            query.int64(9)};
}

template <typename T>
Result<T> firstOf(Query& query, T otherwise)
{
    const T found = query.next() ? T(query.int64(0)) : otherwise;
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace

Status note(Cycle& cycle, AlertKind kind, const QString& subject, const QString& detail)
{
    auto query = cycle.db.query(kNote);
    REDRIVE_TRY(query.bind(toText(kind)).bind(subject).bind(detail).bind(cycle.nowMs).run());
    cycle.changes.alerts = true;
    return {};
}

Result<QList<AlertNote>> notes(Connection& db, int limit)
{
    auto query = db.query(kNotes);
    query.bind(limit);
    QList<AlertNote> found;
    while (query.next())
        found.append(
            {query.int64(0), alertKindFrom(query.text(1)), query.text(2), query.text(3), query.int64(4)});
    REDRIVE_TRY(query.status());
    return found;
}

Status forgetNotes(Cycle& cycle, qint64 upToNo)
{
    auto query = cycle.db.query(kForgetNotes);
    REDRIVE_TRY(query.bind(upToNo).run());
    return {};
}

Result<qint64> reach(Connection& db)
{
    auto query = db.query(kReach);
    return firstOf<qint64>(query, 0);
}

Status setReach(Cycle& cycle, qint64 letterNo)
{
    auto query = cycle.db.query(kSetReach);
    REDRIVE_TRY(query.bind(letterNo).run());
    return {};
}

Result<std::optional<AlertGroup>> group(Connection& db, const QString& signature)
{
    auto query = db.query(kGroup);
    query.bind(signature);
    std::optional<AlertGroup> found;
    if (query.next())
        found = readGroup(query);
    REDRIVE_TRY(query.status());
    return found;
}

Status saveGroup(Cycle& cycle, const AlertGroup& group)
{
    auto query = cycle.db.query(kSaveGroup);
    query.bind(group.signature).bind(toText(group.kind)).bind(group.title).bind(group.windowEndsAtMs);
    query.bind(group.waiting).bind(group.firstAtMs).bind(group.lastAtMs);
    REDRIVE_TRY(query.bind(examplesText(group.examples)).run());
    return {};
}

Status removeGroup(Cycle& cycle, const QString& signature)
{
    auto query = cycle.db.query(kRemoveGroup);
    REDRIVE_TRY(query.bind(signature).run());
    return {};
}

Result<QList<AlertGroup>> endedGroups(Connection& db, qint64 nowMs, qint64 latestMs, int limit)
{
    auto query = db.query(kEnded);
    query.bind(nowMs).bind(latestMs).bind(limit);
    QList<AlertGroup> found;
    while (query.next())
        found.append(readGroup(query));
    REDRIVE_TRY(query.status());
    return found;
}

Result<std::optional<qint64>> nextEndMs(Connection& db)
{
    auto query = db.query(kNextEnd);
    const std::optional<qint64> next = query.next() ? query.optInt64(0) : std::nullopt;
    REDRIVE_TRY(query.status());
    return next;
}

Result<qint64> add(Cycle& cycle, const Alert& alert)
{
    auto query = cycle.db.query(kAdd);
    query.bind(toText(alert.kind)).bind(alert.signature).bind(alert.title).bind(alert.isDigest);
    query.bind(alert.count).bind(alert.firstAtMs).bind(alert.lastAtMs).bind(examplesText(alert.examples));
    REDRIVE_TRY(query.bind(cycle.nowMs).run());
    cycle.changes.alerts = true;
    return newestNo(cycle.db);
}

Result<qint64> countSince(Connection& db, qint64 sinceMs)
{
    auto query = db.query(kCountSince);
    query.bind(sinceMs);
    return firstOf<qint64>(query, 0);
}

Result<qint64> newestNo(Connection& db)
{
    auto query = db.query(kNewest);
    return firstOf<qint64>(query, 0);
}

Result<std::optional<Alert>> alert(Connection& db, qint64 no)
{
    auto query = db.query(kAlert);
    query.bind(no);
    std::optional<Alert> found;
    if (query.next())
        found = readAlert(query);
    REDRIVE_TRY(query.status());
    return found;
}

Result<QList<Alert>> newerThan(Connection& db, qint64 no, int limit)
{
    auto query = db.query(kNewer);
    query.bind(no).bind(limit);
    QList<Alert> found;
    while (query.next())
        found.append(readAlert(query));
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::alert_store
