#include "core/store/redrive_ledger_store.h"

#include "core/store/redrive_pace.h"
#include "core/store/row_values.h"

#include <vector>

namespace redrive::redrive_ledger_store {

namespace {

// The + keeps them off the primary key, by which they would read all items of the redrive.
constexpr char kSucceeded[] =
    "UPDATE redrive_items SET outcome = 'succeeded', outcome_at_ms = ? WHERE acted_id = ? "
    "AND outcome IS NOT NULL AND outcome <> 'succeeded' AND +redrive_no = "
    "(SELECT max(redrive_no) FROM redrive_items WHERE acted_id = ? AND outcome IS NOT NULL)";
constexpr char kFailed[] =
    "UPDATE redrive_items SET outcome = CASE WHEN error_before = ? THEN 'failed' ELSE 'failed_anew' END, "
    "outcome_at_ms = ? WHERE acted_id = ? AND outcome IS NOT NULL AND outcome = 'waiting' AND +redrive_no = "
    "(SELECT max(redrive_no) FROM redrive_items WHERE acted_id = ? AND outcome IS NOT NULL)";
constexpr char kWaitingItems[] =
    "SELECT i.item_no, d.status, j.status, m.seq IS NOT NULL FROM redrive_items i "
    "LEFT JOIN webhook_deliveries d ON d.id = i.acted_id LEFT JOIN jobs j ON j.id = i.acted_id "
    "LEFT JOIN messages m ON m.id = i.acted_id "
    "WHERE i.redrive_no = ? AND i.outcome = 'waiting' AND i.item_no > ? ORDER BY i.item_no LIMIT ?";
constexpr char kSetOutcome[] =
    "UPDATE redrive_items SET outcome = ?, outcome_at_ms = ? WHERE redrive_no = ? AND item_no = ?";
constexpr char kWaiting[] = "SELECT count(*) FROM redrive_items WHERE redrive_no = ? AND outcome = 'waiting'";
constexpr char kUnsuccessful[] = "SELECT count(*) FROM redrive_items WHERE redrive_no = ? "
                                 "AND outcome IN ('failed', 'failed_anew', 'gone')";
constexpr char kRecent[] =
    "SELECT count(*), count(*) FILTER (WHERE outcome <> 'succeeded') FROM (SELECT outcome FROM redrive_items "
    "WHERE redrive_no = ? AND outcome_at_ms IS NOT NULL AND outcome_at_ms >= ? AND outcome <> 'gone' "
    "ORDER BY outcome_at_ms DESC LIMIT ?) last";
constexpr char kOutcomes[] =
    "SELECT outcome, count(*) FROM redrive_items WHERE redrive_no = ? AND outcome IS NOT NULL "
    "GROUP BY outcome";
constexpr char kWaitingStates[] =
    "SELECT d.status, j.status, m.seq IS NOT NULL, m.claim_no IS NOT NULL, count(*) FROM redrive_items i "
    "LEFT JOIN webhook_deliveries d ON d.id = i.acted_id LEFT JOIN jobs j ON j.id = i.acted_id "
    "LEFT JOIN messages m ON m.id = i.acted_id WHERE i.redrive_no = ? AND i.outcome = 'waiting' "
    "GROUP BY d.status, j.status, m.seq IS NOT NULL, m.claim_no IS NOT NULL";

#define REDRIVE_INFO                                                                                         \
    "SELECT no, verb, scope, actor, source, reason, state, rate_per_second, in_flight, brake_percent, "      \
    "canary, after_canary, canary_passed, note, total, succeeded, refused, created_at_ms, started_at_ms, "   \
    "finished_at_ms, EXISTS (SELECT 1 FROM redrive_items i JOIN webhook_deliveries d ON d.id = i.item_id "   \
    "WHERE i.redrive_no = redrives.no AND i.item_no = 1), held_until_ms, undone_at_ms FROM redrives WHERE "
constexpr char kInfo[] = REDRIVE_INFO "no = ?";
constexpr char kList[] = REDRIVE_INFO
    "state IN ('requested', 'running', 'paused') OR no IN (SELECT no FROM redrives ORDER BY no DESC LIMIT ?) "
    "ORDER BY no DESC";
#undef REDRIVE_INFO

RedriveInfo read(const Query& query)
{
    RedriveInfo info;
    info.no = query.int64(0);
    info.verb = query.text(1);
    info.scope = query.text(2);
    info.actor = query.text(3);
    info.source = query.text(4);
    info.reason = query.text(5);
    info.state = redriveStateFrom(query.text(6)).value_or(RedriveState::Stopped);
    info.pace = paceOf(query, 7);
    info.canaryPassed = query.int64(12) != 0;
    info.note = query.text(13);
    info.total = int(query.int64(14));
    info.ledger.refused = int(query.int64(16));
    info.done = int(query.int64(15)) + info.ledger.refused;
    info.ledger.queued = std::max(0, info.total - info.done);
    info.createdAtMs = query.int64(17);
    info.startedAtMs = query.optInt64(18);
    info.finishedAtMs = query.optInt64(19);
    info.ofDeliveries = query.int64(20) != 0;
    info.heldUntilMs = query.optInt64(21);
    info.undoneAtMs = query.optInt64(22);
    return info;
}

Result<int> number(Query query)
{
    const int found = query.next() ? int(query.int64(0)) : 0;
    REDRIVE_TRY(query.status());
    return found;
}

void noted(Cycle& cycle)
{
    cycle.changes.operations = true;
    cycle.outcomesNoted = true;
}

// Empty: it is still under way.
QString unnoticedOutcome(const QString& delivery, const QString& job, bool hasMessage)
{
    if (!delivery.isEmpty())
        return delivery == u"delivered"   ? u"succeeded"_s
               : delivery == u"dead"      ? u"failed_anew"_s
               : delivery == u"cancelled" ? u"gone"_s
                                          : QString();
    if (!job.isEmpty())
        return job == u"done"        ? u"succeeded"_s
               : job == u"dead"      ? u"failed_anew"_s
               : job == u"cancelled" ? u"gone"_s
                                     : QString();
    return hasMessage ? QString() : u"gone"_s;
}

void count(RedriveLedger& ledger, const QString& outcome, int items)
{
    if (outcome == u"waiting")
        ledger.waiting += items;
    else if (outcome == u"succeeded")
        ledger.succeeded += items;
    else if (outcome == u"failed")
        ledger.failedAgain += items;
    else if (outcome == u"failed_anew")
        ledger.failedAnew += items;
    else
        ledger.gone += items;
}

// What is written as waiting may be running by now, or have ended without anybody telling.
Status lookAtWaiting(Connection& db, RedriveInfo& info)
{
    info.ledger.waiting = 0;
    auto query = db.query(kWaitingStates);
    query.bind(info.no);
    while (query.next()) {
        const QString outcome = unnoticedOutcome(query.text(0), query.text(1), query.int64(2) != 0);
        const bool runs =
            query.text(0) == u"sending" || query.text(1) == u"processing" || query.int64(3) != 0;
        const int items = int(query.int64(4));
        if (outcome.isEmpty() && runs)
            info.ledger.running += items;
        else
            count(info.ledger, outcome.isEmpty() ? u"waiting"_s : outcome, items);
    }
    return query.status();
}

Status addOutcomes(Connection& db, RedriveInfo& info)
{
    {
        auto query = db.query(kOutcomes);
        query.bind(info.no);
        while (query.next()) {
            info.awaitsOutcomes = true;
            count(info.ledger, query.text(0), int(query.int64(1)));
        }
        REDRIVE_TRY(query.status());
    }
    return info.ledger.waiting > 0 ? lookAtWaiting(db, info) : Status();
}

} // namespace

Status noteSuccess(Cycle& cycle, const QString& id)
{
    auto query = cycle.db.query(kSucceeded);
    REDRIVE_ASSIGN(changed, query.bind(cycle.nowMs).bind(id).bind(id).run());
    if (changed > 0)
        noted(cycle);
    return {};
}

Status noteFailure(Cycle& cycle, const QString& id, const QString& error)
{
    auto query = cycle.db.query(kFailed);
    query.bind(error.left(kMaxErrorCharacters)).bind(cycle.nowMs).bind(id).bind(id);
    REDRIVE_ASSIGN(changed, query.run());
    if (changed > 0)
        noted(cycle);
    return {};
}

Result<int> settleUnnoticed(Cycle& cycle, qint64 redriveNo, int afterItemNo, int limit)
{
    std::vector<std::pair<int, QString>> ended;
    int looked = 0;
    int last = 0;
    {
        auto query = cycle.db.query(kWaitingItems);
        query.bind(redriveNo).bind(afterItemNo).bind(limit);
        for (; query.next(); ++looked) {
            last = int(query.int64(0));
            const QString outcome = unnoticedOutcome(query.text(1), query.text(2), query.int64(3) != 0);
            if (!outcome.isEmpty())
                ended.emplace_back(last, outcome);
        }
        REDRIVE_TRY(query.status());
    }
    for (const auto& [itemNo, outcome] : ended) {
        auto query = cycle.db.query(kSetOutcome);
        REDRIVE_TRY(query.bind(outcome).bind(cycle.nowMs).bind(redriveNo).bind(itemNo).run());
        noted(cycle);
    }
    return looked < limit ? 0 : last;
}

Result<int> waiting(Connection& db, qint64 redriveNo)
{
    return number(std::move(db.query(kWaiting).bind(redriveNo)));
}

Result<int> unsuccessful(Connection& db, qint64 redriveNo)
{
    return number(std::move(db.query(kUnsuccessful).bind(redriveNo)));
}

Result<RecentOutcomes> recent(Connection& db, qint64 redriveNo, qint64 sinceMs, int limit)
{
    auto query = db.query(kRecent);
    query.bind(redriveNo).bind(sinceMs).bind(limit);
    RecentOutcomes outcomes;
    if (query.next())
        outcomes = {int(query.int64(0)), int(query.int64(1))};
    REDRIVE_TRY(query.status());
    return outcomes;
}

Result<std::optional<RedriveInfo>> info(Connection& db, qint64 redriveNo)
{
    std::optional<RedriveInfo> found;
    {
        auto query = db.query(kInfo);
        query.bind(redriveNo);
        if (query.next())
            found = read(query);
        REDRIVE_TRY(query.status());
    }
    if (found)
        REDRIVE_TRY(addOutcomes(db, *found));
    return found;
}

Result<QList<RedriveInfo>> list(Connection& db, int limit)
{
    QList<RedriveInfo> found;
    {
        auto query = db.query(kList);
        query.bind(limit);
        while (query.next())
            found.append(read(query));
        REDRIVE_TRY(query.status());
    }
    for (RedriveInfo& one : found)
        REDRIVE_TRY(addOutcomes(db, one));
    return found;
}

} // namespace redrive::redrive_ledger_store
