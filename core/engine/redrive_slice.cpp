#include "core/engine/redrive_slice.h"

#include "core/base/log.h"
#include "core/deadletter/item_action.h"
#include "core/deadletter/queue_action.h"
#include "core/engine/redrive_pacer.h"
#include "core/queue/purge.h"
#include "core/store/action_scope.h"
#include "core/store/alert_store.h"
#include "core/store/audit_store.h"
#include "core/store/lone_change.h"
#include "core/webhooks/replay.h"

namespace redrive {

namespace {

constexpr int kMessagesPerItem = 10;
constexpr qint64 kWorthTelling = 11; // items: a few by hand are seen to their end anyway
constexpr int kMostByHand = 10;      // more replays than that let the other deliveries go first

Result<ItemEnd> deliverMissed(Cycle& cycle, const NewRedrive& asked, const QString& item,
                              const ActionLimits& limits)
{
    if (!limits.missed)
        return ItemEnd{u"no endpoint is registered here"_s, {}, {}};
    const MissedEvent missed = missedBy(asked.endpointId, item);
    REDRIVE_ASSIGN(end, limits.missed->deliver(cycle, missed.endpointId, missed.eventId));
    return ItemEnd{end.refusal, end.deliveryId, end.deliveryId};
}

Result<ItemEnd> act(Cycle& cycle, const RedriveRow& redrive, const QString& item, const ActionLimits& limits)
{
    const NewRedrive& asked = redrive.asked;
    const SendClass sendClass = redrive.total > kMostByHand ? SendClass::Bulk : SendClass::Fresh;
    if (asked.verb == ActionVerb::ReplayMissing)
        return deliverMissed(cycle, asked, item, limits);
    if (!isQueueVerb(asked.verb))
        return actOnItem(cycle, asked, item, [sendClass](Cycle& inside, const QString& id) {
            return replayDelivery(inside, id, sendClass);
        });
    REDRIVE_ASSIGN(refusal, actOnQueue(cycle, asked.verb, item, asked.actor, limits.declaredQueues));
    return ItemEnd{refusal, {}, {}};
}

Result<ItemEnd> actAlone(Cycle& cycle, const RedriveRow& redrive, const QString& item,
                         const ActionLimits& limits)
{
    auto end = changeAlone(cycle, [&] { return act(cycle, redrive, item, limits); });
    if (!end && !concernsTheStore(end.error()))
        return ItemEnd{u"the database refused the change: "_s + end.error().text(), {}, {}};
    return end;
}

Status refuseItem(Cycle& cycle, RedriveRow& redrive, int itemNo, const QString& why)
{
    REDRIVE_TRY(redrive_store::settleItem(cycle, redrive.no, itemNo, {why, {}, {}}));
    ++redrive.refused;
    return {};
}

// The total is known at the end only: what was waiting may have been delivered meanwhile.
Status runPurgeSlice(Cycle& cycle, RedriveRow& redrive, int messages, const QStringList& declaredQueues)
{
    constexpr int kQueueItem = 1; // the queue itself; refused messages follow
    const NewRedrive& asked = redrive.asked;
    REDRIVE_ASSIGN(unknown, queueRefusal(cycle.db, asked.verb, asked.queue, declaredQueues));
    if (!unknown.isEmpty() && redrive.settled() == 0) {
        REDRIVE_TRY(refuseItem(cycle, redrive, kQueueItem, unknown));
        redrive.total = redrive.settled();
    } else {
        REDRIVE_ASSIGN(slice, purgeSlice(cycle, asked.queue, asked.cutoffSeq, redrive.reached, messages));
        for (const RefusedItem& item : slice.refused) {
            const int itemNo = kQueueItem + redrive.refused + 1;
            REDRIVE_TRY(redrive_store::addItem(cycle, redrive.no, itemNo, item.id));
            REDRIVE_TRY(refuseItem(cycle, redrive, itemNo, item.why));
        }
        redrive.succeeded += slice.removed;
        redrive.reached = slice.reached;
        if (slice.atEnd)
            REDRIVE_TRY(redrive_store::settleItem(cycle, redrive.no, kQueueItem, ItemEnd{}));
        redrive.total = slice.atEnd ? redrive.settled() : std::max(redrive.total, redrive.settled() + 1);
        REDRIVE_TRY(redrive_store::saveReached(cycle, redrive));
    }
    REDRIVE_TRY(redrive_store::setTotal(cycle, redrive.no, redrive.total));
    return redrive_store::saveProgress(cycle, redrive);
}

} // namespace

Status runRedriveSlice(Cycle& cycle, RedriveRow& redrive, int items, const ActionLimits& limits)
{
    if (redrive.known && redrive.asked.verb == ActionVerb::PurgeQueue)
        return runPurgeSlice(cycle, redrive, items * kMessagesPerItem, limits.declaredQueues);
    REDRIVE_ASSIGN(ids, redrive_store::nextItems(cycle.db, redrive, items));
    const int begunBefore = redrive.succeeded;
    for (const QString& id : ids) {
        const Result<ItemEnd> unknown =
            ItemEnd{u"is asked for something that this version cannot do"_s, {}, {}};
        REDRIVE_ASSIGN(end, redrive.known ? actAlone(cycle, redrive, id, limits) : unknown);
        REDRIVE_TRY(redrive_store::settleItem(cycle, redrive.no, redrive.settled() + 1, end));
        ++(end.refusal.isEmpty() ? redrive.succeeded : redrive.refused);
    }
    if (ids.isEmpty()) { // items are missing: it ends with those it had
        redrive.total = redrive.settled();
        REDRIVE_TRY(redrive_store::setTotal(cycle, redrive.no, redrive.total));
    }
    redrive_pacer::charge(redrive, redrive.succeeded - begunBefore);
    return redrive_store::saveProgress(cycle, redrive);
}

Status auditRedrive(Cycle& cycle, const RedriveRow& redrive)
{
    QString words = u"%1 done"_s.arg(redrive.succeeded);
    if (redrive.refused > 0)
        words += u", %1 refused"_s.arg(redrive.refused);
    if (redrive.settled() < redrive.total)
        words += u", stopped before the other %1"_s.arg(redrive.total - redrive.settled());
    const NewRedrive& asked = redrive.asked;
    REDRIVE_TRY(audit_store::add(cycle, {asked.actor, asked.source, toText(asked.verb), asked.scope,
                                         redrive.succeeded, redrive.no, asked.reason, words}));
    if (redrive.total >= kWorthTelling)
        REDRIVE_TRY(alert_store::note(cycle, AlertKind::RedriveFinished, u"#%1"_s.arg(redrive.no),
                                      u"%1, %2"_s.arg(toText(asked.verb), words)));
    cycle.afterCommit.push_back([asked, words] {
        logEvent(LogLevel::Notice, "operator_action",
                 {{"verb", toText(asked.verb)},
                  {"target", asked.scope},
                  {"actor", asked.actor},
                  {"source", asked.source},
                  {"result", words}});
    });
    return {};
}

} // namespace redrive
