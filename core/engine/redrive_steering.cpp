#include "core/engine/redrive_steering.h"

#include "core/engine/redrive_slice.h"
#include "core/store/audit_store.h"
#include "core/store/redrive_ledger_store.h"

namespace redrive {

namespace {

bool isHeld(const RedriveRow& row)
{
    return row.state == RedriveState::Requested && row.asked.heldUntilMs;
}

// What it put into the bin can come back.
bool leftSomethingToRestore(const RedriveRow& row)
{
    return row.known && row.asked.verb == ActionVerb::Discard && row.succeeded > 0;
}

QString undoRefusal(const RedriveRow& row)
{
    if (row.undone)
        return u"is undone already"_s;
    return row.isOpen() || leftSomethingToRestore(row)
               ? QString()
               : u"is %1: nothing of it can be taken back"_s.arg(toText(row.state));
}

Status checkState(const RedriveRow& row, RedriveSteer steer)
{
    QString refusal;
    if (steer == RedriveSteer::Undo)
        refusal = undoRefusal(row);
    else if (!row.isOpen())
        refusal = u"is %1"_s.arg(toText(row.state));
    else if (steer == RedriveSteer::Pause && row.state == RedriveState::Paused)
        refusal = u"is paused already"_s;
    else if (steer == RedriveSteer::Continue && row.state != RedriveState::Paused && !isHeld(row))
        refusal = u"is not paused"_s;
    else if (steer == RedriveSteer::Rate && !takesPace(row.asked.verb))
        refusal = u"is done at once and takes no pace"_s;
    return refusal.isEmpty() ? Status()
                             : Status(fail(ErrorKind::Conflict, u"redrive %1 %2"_s.arg(row.no).arg(refusal)));
}

QString byWhom(const QString& done, const RedriveOrder& order)
{
    const QString words = order.actor.isEmpty() ? done : done + u" by "_s + order.actor;
    return order.reason.isEmpty() ? words : words + u": "_s + order.reason;
}

// Whoever continues a redrive takes its first outcomes, and the failures the brake counted, as they are.
Status goOn(Cycle& cycle, RedriveRow& row)
{
    row.state = row.settled() > 0 ? RedriveState::Running : RedriveState::Requested;
    row.note.clear();
    row.asked.heldUntilMs.reset();
    row.continuedAtMs = cycle.nowMs;
    if (row.asked.pace.canary > 0 && row.succeeded >= row.asked.pace.canary) {
        REDRIVE_ASSIGN(waiting, redrive_ledger_store::waiting(cycle.db, row.no));
        row.canaryPassed = row.canaryPassed || waiting == 0;
    }
    return {};
}

Status restoreDiscarded(Cycle& cycle, const RedriveRow& row, const RedriveOrder& order)
{
    NewRedrive back;
    back.verb = ActionVerb::Restore;
    back.scope = u"what redrive %1 discarded"_s.arg(row.no);
    back.actor = order.actor;
    back.source = order.source;
    back.reason = order.reason;
    REDRIVE_ASSIGN(no, redrive_store::insert(cycle, back));
    return redrive_store::addItemsDoneBy(cycle, no, row.no);
}

Status undo(Cycle& cycle, RedriveRow& row, const RedriveOrder& order)
{
    REDRIVE_TRY(redrive_store::markUndone(cycle, row.no));
    if (row.isOpen()) {
        row.state = RedriveState::Stopped;
        row.note = byWhom(u"undone"_s, order);
    }
    return leftSomethingToRestore(row) ? restoreDiscarded(cycle, row, order) : Status();
}

Status change(Cycle& cycle, RedriveRow& row, const RedriveOrder& order)
{
    switch (order.steer) {
    case RedriveSteer::Pause:
        row.state = RedriveState::Paused;
        row.note = byWhom(u"paused"_s, order);
        break;
    case RedriveSteer::Continue:
        return goOn(cycle, row);
    case RedriveSteer::Stop:
        row.state = RedriveState::Stopped;
        row.note = byWhom(u"stopped"_s, order);
        break;
    case RedriveSteer::Rate:
        if (order.perSecond != 0 &&
            !(order.perSecond >= RedrivePace::kLowestRate && order.perSecond <= RedrivePace::kHighestRate))
            return fail(ErrorKind::InvalidInput,
                        u"a rate is from %1 to %2 a second, or 0 for no limit"_s.arg(RedrivePace::kLowestRate)
                            .arg(qint64(RedrivePace::kHighestRate)));
        row.asked.pace.perSecond = order.perSecond;
        row.nextAtUs.reset();
        break;
    case RedriveSteer::Undo:
        return undo(cycle, row, order);
    }
    return {};
}

} // namespace

Result<RedriveInfo> steerRedrive(Cycle& cycle, const RedriveOrder& order)
{
    REDRIVE_ASSIGN(found, redrive_store::read(cycle.db, order.no));
    if (!found)
        return fail(ErrorKind::NotFound, u"there is no redrive %1"_s.arg(order.no));
    RedriveRow& row = *found;
    REDRIVE_TRY(checkState(row, order.steer));
    const bool wasOpen = row.isOpen();
    REDRIVE_TRY(change(cycle, row, order));
    if (wasOpen)
        REDRIVE_TRY(redrive_store::saveState(cycle, row));
    const QString result = order.steer == RedriveSteer::Rate ? u"%1/s"_s.arg(order.perSecond) : u"done"_s;
    REDRIVE_TRY(audit_store::add(cycle, {order.actor, order.source, u"redrive-"_s + toText(order.steer),
                                         u"redrive %1"_s.arg(row.no), 0, row.no, order.reason, result}));
    if (wasOpen && row.state == RedriveState::Stopped)
        REDRIVE_TRY(auditRedrive(cycle, row));
    REDRIVE_ASSIGN(info, redrive_ledger_store::info(cycle.db, row.no));
    return info.value_or(RedriveInfo());
}

Status RedriveSteering::apply(Cycle& cycle)
{
    if (m_inbox.isEmpty())
        return {};
    cycle.afterCommit.push_back(m_steered);
    return m_inbox.apply(cycle, steerRedrive);
}

void RedriveSteering::storeRefuses(const std::optional<Error>& why)
{
    if (why)
        m_inbox.refuse(*why);
}

} // namespace redrive
