#include "core/engine/redrive_steering.h"

#include "core/engine/redrive_slice.h"
#include "core/store/audit_store.h"
#include "core/store/redrive_ledger_store.h"

namespace redrive {

namespace {

Status checkState(const RedriveRow& row, RedriveSteer steer)
{
    QString refusal;
    if (!row.isOpen())
        refusal = u"is %1"_s.arg(toText(row.state));
    else if (steer == RedriveSteer::Pause && row.state == RedriveState::Paused)
        refusal = u"is paused already"_s;
    else if (steer == RedriveSteer::Continue && row.state != RedriveState::Paused)
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
    row.continuedAtMs = cycle.nowMs;
    if (row.asked.pace.canary > 0 && row.succeeded >= row.asked.pace.canary) {
        REDRIVE_ASSIGN(waiting, redrive_ledger_store::waiting(cycle.db, row.no));
        row.canaryPassed = row.canaryPassed || waiting == 0;
    }
    return {};
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
    REDRIVE_TRY(change(cycle, row, order));
    REDRIVE_TRY(redrive_store::saveState(cycle, row));
    const QString result = order.steer == RedriveSteer::Rate ? u"%1/s"_s.arg(order.perSecond) : u"done"_s;
    REDRIVE_TRY(audit_store::add(cycle, {order.actor, order.source, u"redrive-"_s + toText(order.steer),
                                         u"redrive %1"_s.arg(row.no), 0, row.no, order.reason, result}));
    if (row.state == RedriveState::Stopped)
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
