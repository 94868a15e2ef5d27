#include "core/store/alert_post_store.h"

namespace redrive::alert_post_store {

namespace {

constexpr char kKeepTarget[] =
    "INSERT INTO alert_targets (id, form, place, seen_no) VALUES (?, ?, ?, (SELECT COALESCE(max(no), 0) FROM "
    "alerts)) ON CONFLICT (id) DO UPDATE SET form = excluded.form, place = excluded.place";
constexpr char kTarget[] =
    "SELECT id, form, place, last_sent_at_ms, last_tried_at_ms, failing_since_ms, last_error, "
    "(SELECT count(*) FROM alert_posts p WHERE p.target_id = t.id AND p.due_at_ms IS NOT NULL) "
    "FROM alert_targets t WHERE id = ?";
constexpr char kSeen[] = "SELECT seen_no FROM alert_targets WHERE id = ?";
constexpr char kNext[] = "SELECT no, kind, at_ms FROM alerts WHERE no > ? ORDER BY no LIMIT ?";
constexpr char kMake[] = "INSERT INTO alert_posts (alert_no, target_id, due_at_ms, changed_at_ms) "
                         "VALUES (?, ?, ?, ?) ON CONFLICT (alert_no, target_id) DO NOTHING";
constexpr char kSetSeen[] = "UPDATE alert_targets SET seen_no = ? WHERE id = ?";
constexpr char kDue[] = "SELECT alert_no, attempts FROM alert_posts WHERE target_id = ? "
                        "AND due_at_ms IS NOT NULL AND due_at_ms <= ? ORDER BY due_at_ms, alert_no LIMIT 1";
constexpr char kNextDue[] =
    "SELECT min(due_at_ms) FROM alert_posts WHERE target_id = ? AND due_at_ms IS NOT NULL";
constexpr char kBegin[] = "UPDATE alert_posts SET state = 'sending', due_at_ms = NULL, instance_no = ?, "
                          "changed_at_ms = ? WHERE alert_no = ? AND target_id = ?";
constexpr char kSettle[] = "UPDATE alert_posts SET state = ?, due_at_ms = ?, instance_no = NULL, attempts = "
                           "attempts + 1, error = ?, "
                           "changed_at_ms = ? WHERE alert_no = ? AND target_id = ? AND instance_no = ?";
constexpr char kArrived[] = "UPDATE alert_targets SET last_sent_at_ms = ?, last_tried_at_ms = ?, "
                            "failing_since_ms = NULL, last_error = NULL WHERE id = ?";
constexpr char kMissed[] = "UPDATE alert_targets SET last_tried_at_ms = ?, "
                           "failing_since_ms = COALESCE(failing_since_ms, ?), last_error = ? WHERE id = ?";
constexpr char kGiveBackOf[] =
    "UPDATE alert_posts SET state = 'waiting', due_at_ms = ?, instance_no = NULL WHERE (alert_no, target_id) "
    "IN "
    "(SELECT alert_no, target_id FROM alert_posts WHERE instance_no IS NOT NULL AND instance_no = ? LIMIT ?)";
constexpr char kGiveBack[] = "UPDATE alert_posts SET state = 'waiting', due_at_ms = ?, instance_no = NULL "
                             "WHERE alert_no = ? AND target_id = ? AND instance_no = ?";
constexpr char kGiveUp[] = "UPDATE alert_posts SET state = 'failed', due_at_ms = NULL, changed_at_ms = ?, "
                           "error = COALESCE(error, 'its target is not configured any more') "
                           "WHERE due_at_ms IS NOT NULL AND due_at_ms < ?";
constexpr char kOfAlert[] =
    "SELECT p.target_id, COALESCE(t.form, ''), COALESCE(t.place, ''), p.state, p.attempts, p.due_at_ms, "
    "p.error, p.changed_at_ms FROM alert_posts p LEFT JOIN alert_targets t ON t.id = p.target_id "
    "WHERE p.alert_no = ? ORDER BY t.place, p.target_id";

Result<qint64> seen(Connection& db, const QString& targetId)
{
    auto query = db.query(kSeen);
    query.bind(targetId);
    const qint64 no = query.next() ? query.int64(0) : 0;
    REDRIVE_TRY(query.status());
    return no;
}

Result<bool> settle(Cycle& cycle, qint64 alertNo, const QString& targetId, const QString& state,
                    std::optional<qint64> dueAtMs, const QString& error)
{
    auto query = cycle.db.query(kSettle);
    query.bind(state).bind(dueAtMs).bindTextOrNull(error).bind(cycle.nowMs);
    REDRIVE_ASSIGN(changed, query.bind(alertNo).bind(targetId).bind(cycle.instanceNo).run());
    cycle.changes.alerts = true;
    return changed == 1;
}

} // namespace

Status keepTarget(Cycle& cycle, const AlertTargetRow& target)
{
    auto query = cycle.db.query(kKeepTarget);
    REDRIVE_TRY(query.bind(target.id).bind(target.form).bind(target.place).run());
    return {};
}

Result<std::optional<AlertTargetRow>> target(Connection& db, const QString& id)
{
    auto query = db.query(kTarget);
    query.bind(id);
    std::optional<AlertTargetRow> found;
    if (query.next()) {
        AlertTargetRow row;
        row.id = query.text(0);
        row.form = query.text(1);
        row.place = query.text(2);
        row.lastSentAtMs = query.optInt64(3);
        row.lastTriedAtMs = query.optInt64(4);
        row.failingSinceMs = query.optInt64(5);
        row.lastError = query.text(6);
        row.waiting = query.int64(7);
        found = std::move(row);
    }
    REDRIVE_TRY(query.status());
    return found;
}

Result<QList<AlertTargetRow>> withState(Connection& db, QList<AlertTargetRow> configured)
{
    for (AlertTargetRow& row : configured) {
        REDRIVE_ASSIGN(known, target(db, row.id));
        if (!known)
            continue;
        known->problem = row.problem;
        row = *known;
    }
    return configured;
}

Result<int> makePosts(Cycle& cycle, const QString& targetId, qint64 sinceMs, int limit)
{
    REDRIVE_ASSIGN(from, seen(cycle.db, targetId));
    QList<qint64> wanted;
    int looked = 0;
    qint64 last = from;
    {
        auto query = cycle.db.query(kNext);
        query.bind(from).bind(limit);
        while (query.next()) {
            ++looked;
            last = query.int64(0);
            if (isPosted(alertKindFrom(query.text(1))) && query.int64(2) >= sinceMs)
                wanted.append(last);
        }
        REDRIVE_TRY(query.status());
    }
    for (const qint64 alertNo : wanted) {
        auto query = cycle.db.query(kMake);
        REDRIVE_TRY(query.bind(alertNo).bind(targetId).bind(cycle.nowMs).bind(cycle.nowMs).run());
    }
    if (looked > 0) {
        auto query = cycle.db.query(kSetSeen);
        REDRIVE_TRY(query.bind(last).bind(targetId).run());
    }
    return looked;
}

Result<std::optional<DuePost>> due(Cycle& cycle, const QString& targetId)
{
    auto query = cycle.db.query(kDue);
    query.bind(targetId).bind(cycle.nowMs);
    std::optional<DuePost> found;
    if (query.next())
        found = DuePost{query.int64(0), int(query.int64(1))};
    REDRIVE_TRY(query.status());
    return found;
}

Result<std::optional<qint64>> nextDueMs(Connection& db, const QString& targetId)
{
    auto query = db.query(kNextDue);
    query.bind(targetId);
    const std::optional<qint64> next = query.next() ? query.optInt64(0) : std::nullopt;
    REDRIVE_TRY(query.status());
    return next;
}

Status begin(Cycle& cycle, qint64 alertNo, const QString& targetId)
{
    auto query = cycle.db.query(kBegin);
    REDRIVE_TRY(query.bind(cycle.instanceNo).bind(cycle.nowMs).bind(alertNo).bind(targetId).run());
    return {};
}

Result<bool> sent(Cycle& cycle, qint64 alertNo, const QString& targetId)
{
    auto target = cycle.db.query(kArrived);
    REDRIVE_TRY(target.bind(cycle.nowMs).bind(cycle.nowMs).bind(targetId).run());
    return settle(cycle, alertNo, targetId, u"sent"_s, {}, {});
}

Result<bool> failed(Cycle& cycle, qint64 alertNo, const QString& targetId, const QString& error,
                    std::optional<qint64> dueAtMs)
{
    auto target = cycle.db.query(kMissed);
    REDRIVE_TRY(target.bind(cycle.nowMs).bind(cycle.nowMs).bind(error).bind(targetId).run());
    return settle(cycle, alertNo, targetId, dueAtMs ? u"waiting"_s : u"failed"_s, dueAtMs, error);
}

Result<int> giveBack(Cycle& cycle, qint64 instanceNo, int limit)
{
    auto query = cycle.db.query(kGiveBackOf);
    REDRIVE_ASSIGN(changed, query.bind(cycle.nowMs).bind(instanceNo).bind(limit).run());
    cycle.changes.alerts = cycle.changes.alerts || changed > 0;
    return int(changed);
}

Status giveBack(Cycle& cycle, qint64 alertNo, const QString& targetId)
{
    auto query = cycle.db.query(kGiveBack);
    REDRIVE_TRY(query.bind(cycle.nowMs).bind(alertNo).bind(targetId).bind(cycle.instanceNo).run());
    return {};
}

Status giveUpOlder(Cycle& cycle, qint64 dueBeforeMs)
{
    auto query = cycle.db.query(kGiveUp);
    REDRIVE_TRY(query.bind(cycle.nowMs).bind(dueBeforeMs).run());
    return {};
}

Result<QList<AlertPost>> ofAlert(Connection& db, qint64 alertNo)
{
    auto query = db.query(kOfAlert);
    query.bind(alertNo);
    QList<AlertPost> found;
    while (query.next())
        found.append({query.text(0), query.text(1), query.text(2), query.text(3), int(query.int64(4)),
                      query.optInt64(5), query.text(6), query.int64(7)});
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::alert_post_store
