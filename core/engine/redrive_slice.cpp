#include "core/engine/redrive_slice.h"

#include "core/base/log.h"
#include "core/deadletter/item_action.h"
#include "core/deadletter/queue_action.h"
#include "core/store/action_scope.h"
#include "core/store/audit_store.h"
#include "core/store/lone_change.h"
#include "core/webhooks/replay.h"

namespace redrive {

namespace {

Result<QString> act(Cycle& cycle, const NewRedrive& asked, const QString& item, const QStringList& queues)
{
    if (isQueueVerb(asked.verb))
        return actOnQueue(cycle, asked.verb, item, asked.actor, queues);
    return actOnItem(cycle, asked.verb, item, asked.queue, replayDelivery);
}

Result<QString> actAlone(Cycle& cycle, const NewRedrive& asked, const QString& item,
                         const QStringList& queues)
{
    auto refusal = changeAlone(cycle, [&] { return act(cycle, asked, item, queues); });
    if (!refusal && !concernsTheStore(refusal.error()))
        return u"the database refused the change: "_s + refusal.error().text();
    return refusal;
}

} // namespace

Status runRedriveSlice(Cycle& cycle, RedriveRow& redrive, int items, const QStringList& declaredQueues)
{
    REDRIVE_ASSIGN(ids, redrive_store::nextItems(cycle.db, redrive, items));
    for (const QString& id : ids) {
        const Result<QString> unknown = u"is asked for something that this version cannot do"_s;
        REDRIVE_ASSIGN(refusal, redrive.known ? actAlone(cycle, redrive.asked, id, declaredQueues) : unknown);
        REDRIVE_TRY(redrive_store::settleItem(cycle, redrive.no, redrive.settled() + 1, refusal));
        ++(refusal.isEmpty() ? redrive.succeeded : redrive.refused);
    }
    if (ids.isEmpty()) { // items are missing: it ends with those it had
        redrive.total = redrive.settled();
        REDRIVE_TRY(redrive_store::setTotal(cycle, redrive.no, redrive.total));
    }
    return redrive_store::saveProgress(cycle, redrive);
}

Status auditRedrive(Cycle& cycle, const RedriveRow& redrive)
{
    const QString words = redrive.refused == 0
                              ? u"%1 done"_s.arg(redrive.succeeded)
                              : u"%1 done, %2 refused"_s.arg(redrive.succeeded).arg(redrive.refused);
    const NewRedrive& asked = redrive.asked;
    REDRIVE_TRY(audit_store::add(cycle, {asked.actor, asked.source, toText(asked.verb), asked.scope,
                                         redrive.succeeded, redrive.no, asked.reason, words}));
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
