#include "app/redrive_runner.h"

#include "core/engine/lone_turn.h"
#include "core/store/engine_locks.h"
#include "core/store/redrive_store.h"

#include <QEventLoop>
#include <QTimer>

namespace redrive {

namespace {

void waitFor(qint64 ms)
{
    QEventLoop loop;
    QTimer::singleShot(int(ms), Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

} // namespace

RedriveRunner::RedriveRunner(Connection& db, const Settings& settings, bool mayExecute)
    : m_db(db), m_gate({}), m_mayExecute(mayExecute)
{
    m_gate.setLimits(limitsOf(settings));
    m_gate.leavePacedToEngines();
}

Result<ActionPlan> RedriveRunner::plan(const ActionRequest& request) const
{
    return m_gate.plan(m_db, request, m_clock.wallMs());
}

Result<ActionResult> RedriveRunner::run(const ActionRequest& request)
{
    if (!m_mayExecute && !engine_locks::anyLive(m_db.target().path))
        return fail(ErrorKind::Refused,
                    u"no engine is running on this database, and this profile runs none"_s);
    qint64 redriveNo = 0;
    REDRIVE_TRY(runLoneTurn(m_db, m_clock, [&](Cycle& cycle) -> Status {
        REDRIVE_ASSIGN(written, m_gate.write(cycle, request));
        redriveNo = written;
        return {};
    }));
    if (redriveNo == 0)
        return ActionResult{};
    REDRIVE_ASSIGN(row, redrive_store::read(m_db, redriveNo));
    if (row && row->asked.pace.isSet()) {
        REDRIVE_ASSIGN(written, CommandGate::resultOf(m_db, redriveNo));
        written.goesOn = true;
        return written;
    }

    for (qint64 waitedMs = 0; waitedMs < kPatienceMs; waitedMs += kPollMs) {
        REDRIVE_ASSIGN(done, isDone(redriveNo));
        if (done)
            return CommandGate::resultOf(m_db, redriveNo);
        if (m_mayExecute && !engine_locks::anyLive(m_db.target().path)) {
            auto lock = FileLock::tryLock(engine_locks::commandLockPath(m_db.target().path));
            if (lock) {
                REDRIVE_TRY(executeHere(redriveNo));
                continue;
            }
            if (lock.error().kind != ErrorKind::Busy)
                return fail(lock.error());
        }
        waitFor(kPollMs);
    }
    return fail(
        ErrorKind::Busy,
        u"redrive %1 is recorded and not finished after a minute; it goes on by itself"_s.arg(redriveNo));
}

Status RedriveRunner::executeOpen()
{
    if (!m_mayExecute || engine_locks::anyLive(m_db.target().path))
        return {};
    const auto lock = FileLock::tryLock(engine_locks::commandLockPath(m_db.target().path));
    if (!lock) // whoever holds it does the same
        return lock.error().kind == ErrorKind::Busy ? Status() : fail(lock.error());
    m_gate.lookAtStore();
    while (m_gate.hasWork(0, 0))
        REDRIVE_TRY(runLoneTurn(m_db, m_clock, [this](Cycle& cycle) { return m_gate.apply(cycle); }));
    return {};
}

Status RedriveRunner::executeHere(qint64 redriveNo)
{
    m_gate.lookAtStore();
    while (m_gate.hasWork(0, 0)) {
        REDRIVE_TRY(runLoneTurn(m_db, m_clock, [this](Cycle& cycle) { return m_gate.apply(cycle); }));
        REDRIVE_ASSIGN(done, isDone(redriveNo));
        if (done)
            break; // what others asked for is not this command's to wait for
    }
    return {};
}

Result<bool> RedriveRunner::isDone(qint64 redriveNo) const
{
    REDRIVE_ASSIGN(row, redrive_store::read(m_db, redriveNo));
    return row && !row->isOpen();
}

} // namespace redrive
