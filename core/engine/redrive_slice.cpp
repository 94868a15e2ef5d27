#include "core/engine/redrive_slice.h"

#include "core/base/log.h"
#include "core/db/savepoint.h"
#include "core/deadletter/item_action.h"
#include "core/deadletter/queue_action.h"
#include "core/engine/action_plan.h"
#include "core/store/audit_store.h"
#include "core/webhooks/replay.h"

namespace redrive {

namespace {

// Nothing that another item could do better; all else is this item's own trouble and stops no other.
bool concernsTheStore(const Error& error)
{
    return error.retryable() || error.kind == ErrorKind::ReadOnly || error.kind == ErrorKind::Corrupt ||
           error.kind == ErrorKind::Cancelled;
}

Result<QString> act(Cycle& cycle, const NewRedrive& asked, const QString& item, const QStringList& queues)
{
    if (isQueueVerb(asked.verb))
        return actOnQueue(cycle, asked.verb, item, asked.actor, queues);
    return actOnItem(cycle, asked.verb, item, asked.queue, replayDelivery);
}

Result<QString> actAlone(Cycle& cycle, const NewRedrive& asked, const QString& item,
                         const QStringList& queues)
{
    const size_t followUps = cycle.afterCommit.size();
    REDRIVE_ASSIGN(part, Savepoint::begin(cycle.db));
    auto refusal = act(cycle, asked, item, queues);
    if (!refusal) {
        if (concernsTheStore(refusal.error()))
            return refusal;
        cycle.afterCommit.resize(followUps);
        return u"the database refused the change: "_s + refusal.error().text();
    }
    REDRIVE_TRY(part.release());
    return refusal;
}

} // namespace

Status runRedriveSlice(Cycle& cycle, RedriveRow& redrive, int items, const QStringList& declaredQueues)
{
    REDRIVE_ASSIGN(ids, redrive_store::nextItems(cycle.db, redrive, items));
    for (const QString& id : ids) {
        REDRIVE_ASSIGN(refusal, actAlone(cycle, redrive.asked, id, declaredQueues));
        REDRIVE_TRY(redrive_store::settleItem(cycle, redrive.no, redrive.settled() + 1, refusal));
        ++(refusal.isEmpty() ? redrive.succeeded : redrive.refused);
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
