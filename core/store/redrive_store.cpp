#include "core/store/redrive_store.h"

#include "core/store/redrive_pace.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace redrive::redrive_store {

namespace {

constexpr char kInsert[] =
    "INSERT INTO redrives (verb, scope, arguments, actor, source, reason, created_at_ms, rate_per_second, "
    "in_flight, brake_percent, canary, after_canary, held_until_ms) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "RETURNING no";
constexpr char kAddItem[] = "INSERT INTO redrive_items (redrive_no, item_no, item_id) VALUES (?, ?, ?)";
constexpr char kSetTotal[] = "UPDATE redrives SET total = ? WHERE no = ?";
constexpr char kSetArguments[] = "UPDATE redrives SET arguments = ? WHERE no = ?";
#define REDRIVE_ROW                                                                                          \
    "SELECT no, verb, scope, arguments, actor, source, reason, state, total, succeeded, refused, "           \
    "rate_per_second, in_flight, brake_percent, canary, after_canary, canary_passed, next_at_us, note, "     \
    "continued_at_ms, held_until_ms, undone_at_ms IS NOT NULL FROM redrives WHERE "
constexpr char kRead[] = REDRIVE_ROW "no = ?";
constexpr char kOpen[] = REDRIVE_ROW "state IN ('requested', 'running') ORDER BY no";
#undef REDRIVE_ROW
constexpr char kNextItems[] = "SELECT item_id FROM redrive_items WHERE redrive_no = ? AND item_no > ? "
                              "ORDER BY item_no LIMIT ?";
constexpr char kSettleItem[] =
    "UPDATE redrive_items SET result = ?, message = ? WHERE redrive_no = ? AND item_no = ?";
// The error stands where it was until there is an outcome.
constexpr char kAwaitItem[] =
    "UPDATE redrive_items SET result = 'ok', message = ?, acted_id = ?, outcome = 'waiting', "
    "error_before = COALESCE((SELECT substr(error, 1, 300) FROM webhook_deliveries WHERE id = ?), "
    "(SELECT substr(error, 1, 300) FROM jobs WHERE id = ?), (SELECT substr(error, 1, 300) FROM dead_letters "
    "WHERE subject_id = ? ORDER BY no DESC LIMIT 1)) WHERE redrive_no = ? AND item_no = ?";
constexpr char kSaveProgress[] =
    "UPDATE redrives SET state = ?, succeeded = ?, refused = ?, started_at_ms = COALESCE(started_at_ms, ?), "
    "finished_at_ms = ?, canary_passed = ?, next_at_us = ?, note = ? WHERE no = ?";
constexpr char kSaveState[] =
    "UPDATE redrives SET state = ?, note = ?, finished_at_ms = ?, canary_passed = ?, rate_per_second = ?, "
    "next_at_us = ?, continued_at_ms = ?, held_until_ms = ? WHERE no = ?";
constexpr char kMarkUndone[] = "UPDATE redrives SET undone_at_ms = ? WHERE no = ?";
constexpr char kAddDone[] = "INSERT INTO redrive_items (redrive_no, item_no, item_id) SELECT ?, row_number() "
                            "OVER (ORDER BY item_no), "
                            "item_id FROM redrive_items WHERE redrive_no = ? AND result = 'ok'";
constexpr char kRefused[] = "SELECT item_id, message FROM redrive_items WHERE redrive_no = ? "
                            "AND result = 'refused' ORDER BY item_no LIMIT ?";
constexpr char kNewId[] = "SELECT message FROM redrive_items WHERE redrive_no = ? AND result = 'ok' "
                          "AND message IS NOT NULL ORDER BY item_no LIMIT 1";
constexpr char kActionsOn[] =
    "SELECT r.no, r.verb, COALESCE(r.started_at_ms, r.created_at_ms), r.actor, r.source, r.reason, i.result, "
    "i.message, CASE WHEN r.verb = 'postpone' THEN r.arguments END "
    "FROM redrive_items i JOIN redrives r ON r.no = i.redrive_no "
    "WHERE i.item_id = ? AND i.result IS NOT NULL ORDER BY r.no DESC LIMIT ?";

QString argumentsText(const NewRedrive& redrive, QueuePlace reached = {})
{
    QJsonObject arguments;
    if (!redrive.queue.isEmpty())
        arguments.insert(u"queue"_s, redrive.queue);
    if (redrive.verb == ActionVerb::PurgeQueue) {
        arguments.insert(u"cutoff"_s, redrive.cutoffSeq);
        arguments.insert(u"sentAtMs"_s, reached.sentAtMs);
        arguments.insert(u"seq"_s, reached.seq);
    }
    if (!redrive.endpointId.isEmpty())
        arguments.insert(u"endpoint"_s, redrive.endpointId);
    if (redrive.leavesDelivered)
        arguments.insert(u"leavesDelivered"_s, true);
    if (redrive.dueAtMs)
        arguments.insert(u"dueAtMs"_s, *redrive.dueAtMs);
    if (redrive.payload) // exact bytes, whatever they are
        arguments.insert(u"payload"_s, QString::fromLatin1(redrive.payload->toBase64()));
    return QString::fromUtf8(QJsonDocument(arguments).toJson(QJsonDocument::Compact));
}

std::optional<qint64> limitOrNull(int limit)
{
    return limit > 0 ? std::optional<qint64>(limit) : std::nullopt;
}

RedriveRow rowOf(const Query& query)
{
    const auto arguments = QJsonDocument::fromJson(query.text(3).toUtf8()).object();
    RedriveRow row;
    row.no = query.int64(0);
    row.known = actionVerbFrom(query.text(1)).has_value();
    row.asked.verb = actionVerbFrom(query.text(1)).value_or(ActionVerb::Requeue);
    row.asked.scope = query.text(2);
    row.asked.queue = arguments.value(u"queue"_s).toString();
    row.asked.actor = query.text(4);
    row.asked.source = query.text(5);
    row.asked.reason = query.text(6);
    row.asked.endpointId = arguments.value(u"endpoint"_s).toString();
    row.asked.leavesDelivered = arguments.value(u"leavesDelivered"_s).toBool();
    row.asked.cutoffSeq = arguments.value(u"cutoff"_s).toInteger();
    row.reached = {arguments.value(u"sentAtMs"_s).toInteger(-1), arguments.value(u"seq"_s).toInteger()};
    if (const auto dueAt = arguments.value(u"dueAtMs"_s); dueAt.isDouble())
        row.asked.dueAtMs = dueAt.toInteger();
    if (const auto payload = arguments.value(u"payload"_s); payload.isString())
        row.asked.payload = QByteArray::fromBase64(payload.toString().toLatin1());
    row.state = redriveStateFrom(query.text(7)).value_or(RedriveState::Stopped);
    row.total = int(query.int64(8));
    row.succeeded = int(query.int64(9));
    row.refused = int(query.int64(10));
    row.asked.pace = paceOf(query, 11);
    row.canaryPassed = query.int64(16) != 0;
    row.nextAtUs = query.optInt64(17);
    row.note = query.text(18);
    row.continuedAtMs = query.int64(19);
    row.asked.heldUntilMs = query.optInt64(20);
    row.undone = query.int64(21) != 0;
    return row;
}

} // namespace

Result<qint64> insert(Cycle& cycle, const NewRedrive& redrive)
{
    auto query = cycle.db.query(kInsert);
    query.bind(toText(redrive.verb)).bind(redrive.scope).bind(argumentsText(redrive)).bind(redrive.actor);
    query.bind(redrive.source).bindTextOrNull(redrive.reason).bind(cycle.nowMs);
    const RedrivePace& pace = redrive.pace;
    bindRate(query, pace);
    query.bind(limitOrNull(pace.inFlight))
        .bind(limitOrNull(pace.brakePercent))
        .bind(limitOrNull(pace.canary));
    query.bindTextOrNull(pace.canary > 0 ? toText(pace.afterCanary) : QString()).bind(redrive.heldUntilMs);
    if (!query.next()) {
        REDRIVE_TRY(query.status());
        return fail(ErrorKind::Internal, u"a redrive got no number"_s);
    }
    cycle.changes.operations = true;
    return query.int64(0);
}

Status addItem(Cycle& cycle, qint64 no, int itemNo, const QString& itemId)
{
    auto query = cycle.db.query(kAddItem);
    query.bind(no).bind(itemNo).bind(itemId);
    REDRIVE_TRY(query.run());
    return {};
}

Status setTotal(Cycle& cycle, qint64 no, int total)
{
    auto query = cycle.db.query(kSetTotal);
    query.bind(total).bind(no);
    REDRIVE_TRY(query.run());
    return {};
}

Status saveReached(Cycle& cycle, const RedriveRow& redrive)
{
    auto query = cycle.db.query(kSetArguments);
    query.bind(argumentsText(redrive.asked, redrive.reached)).bind(redrive.no);
    REDRIVE_TRY(query.run());
    return {};
}

Result<std::optional<RedriveRow>> read(Connection& db, qint64 no)
{
    auto query = db.query(kRead);
    query.bind(no);
    std::optional<RedriveRow> row;
    if (query.next())
        row = rowOf(query);
    REDRIVE_TRY(query.status());
    return row;
}

Result<QList<RedriveRow>> open(Connection& db)
{
    auto query = db.query(kOpen);
    QList<RedriveRow> rows;
    while (query.next())
        rows.append(rowOf(query));
    REDRIVE_TRY(query.status());
    return rows;
}

Result<QStringList> nextItems(Connection& db, const RedriveRow& redrive, int limit)
{
    auto query = db.query(kNextItems);
    query.bind(redrive.no).bind(redrive.settled()).bind(limit);
    QStringList ids;
    while (query.next())
        ids.append(query.text(0));
    REDRIVE_TRY(query.status());
    return ids;
}

Status settleItem(Cycle& cycle, qint64 no, int itemNo, const ItemEnd& end)
{
    if (end.refusal.isEmpty() && !end.actedId.isEmpty()) {
        auto awaits = cycle.db.query(kAwaitItem);
        awaits.bindTextOrNull(end.newId).bind(end.actedId);
        awaits.bind(end.actedId).bind(end.actedId).bind(end.actedId).bind(no).bind(itemNo);
        REDRIVE_TRY(awaits.run());
        return {};
    }
    auto query = cycle.db.query(kSettleItem);
    query.bind(end.refusal.isEmpty() ? u"ok"_s : u"refused"_s);
    query.bindTextOrNull(end.refusal.isEmpty() ? end.newId : end.refusal).bind(no).bind(itemNo);
    REDRIVE_TRY(query.run());
    return {};
}

Status saveProgress(Cycle& cycle, RedriveRow& redrive)
{
    const bool done = redrive.settled() >= redrive.total;
    redrive.state = done ? RedriveState::Done : RedriveState::Running;
    auto query = cycle.db.query(kSaveProgress);
    query.bind(toText(redrive.state)).bind(redrive.succeeded).bind(redrive.refused);
    query.bind(cycle.nowMs).bind(done ? std::optional(cycle.nowMs) : std::nullopt);
    query.bind(redrive.canaryPassed).bind(redrive.nextAtUs).bindTextOrNull(redrive.note);
    REDRIVE_TRY(query.bind(redrive.no).run());
    cycle.changes.operations = true;
    return {};
}

Status saveState(Cycle& cycle, const RedriveRow& redrive)
{
    auto query = cycle.db.query(kSaveState);
    query.bind(toText(redrive.state)).bindTextOrNull(redrive.note);
    query.bind(redrive.isOpen() ? std::nullopt : std::optional(cycle.nowMs)).bind(redrive.canaryPassed);
    bindRate(query, redrive.asked.pace);
    query.bind(redrive.nextAtUs).bind(redrive.continuedAtMs).bind(redrive.asked.heldUntilMs);
    REDRIVE_TRY(query.bind(redrive.no).run());
    cycle.changes.operations = true;
    return {};
}

Status markUndone(Cycle& cycle, qint64 no)
{
    auto query = cycle.db.query(kMarkUndone);
    REDRIVE_TRY(query.bind(cycle.nowMs).bind(no).run());
    cycle.changes.operations = true;
    return {};
}

Status addItemsDoneBy(Cycle& cycle, qint64 no, qint64 otherNo)
{
    auto query = cycle.db.query(kAddDone);
    REDRIVE_ASSIGN(added, query.bind(no).bind(otherNo).run());
    return setTotal(cycle, no, int(added));
}

Result<QList<RefusedItem>> refusedItems(Connection& db, qint64 no, int limit)
{
    auto query = db.query(kRefused);
    query.bind(no).bind(limit);
    QList<RefusedItem> items;
    while (query.next())
        items.append({query.text(0), query.text(1)});
    REDRIVE_TRY(query.status());
    return items;
}

Result<QString> newIdOf(Connection& db, qint64 no)
{
    auto query = db.query(kNewId);
    query.bind(no);
    const QString id = query.next() ? query.text(0) : QString();
    REDRIVE_TRY(query.status());
    return id;
}

Result<QList<ItemAction>> actionsOn(Connection& db, const QString& itemId, int limit)
{
    auto query = db.query(kActionsOn);
    query.bind(itemId).bind(limit);
    QList<ItemAction> found;
    while (query.next()) {
        ItemAction action{query.int64(0),
                          query.text(1),
                          query.int64(2),
                          query.text(3),
                          query.text(4),
                          query.text(5),
                          {},
                          {},
                          {}};
        (query.text(6) == u"ok" ? action.newId : action.refusal) = query.text(7);
        const auto arguments = QJsonDocument::fromJson(query.text(8).toUtf8()).object();
        if (const auto dueAt = arguments.value(u"dueAtMs"_s); dueAt.isDouble())
            action.dueAtMs = dueAt.toInteger();
        found.prepend(std::move(action));
    }
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::redrive_store
