// Carries out an operator action from a process that is no engine: a running engine executes the redrive that
// is written here, and where none lives the process executes it itself, one such process at a time. Blocks;
// one thread.
#pragma once

#include "core/base/clock.h"
#include "core/config/settings.h"
#include "core/engine/command_gate.h"

namespace redrive {

class RedriveRunner final
{
public:
    static constexpr qint64 kPollMs = 50;
    static constexpr qint64 kPatienceMs = 60'000;

    // `mayExecute`: false leaves the execution to a running engine, and refuses where there is none.
    RedriveRunner(Connection& db, const Settings& settings, bool mayExecute = true);

    Result<ActionPlan> plan(const ActionRequest& request) const;
    // Returns when every item is settled, or, of one with a pace, when it is written: an engine goes on with
    // it. Busy after a minute: the redrive is written and goes on.
    Result<ActionResult> run(const ActionRequest& request);

    // Executes what is written and open, where no engine lives that does.
    Status executeOpen();

private:
    Status executeHere(qint64 redriveNo);
    Result<bool> isDone(qint64 redriveNo) const;

    Connection& m_db;
    SystemClock m_clock;
    CommandGate m_gate;
    bool m_mayExecute;
};

} // namespace redrive
