// Work that other threads of the engine want done in a transaction of the store's writer: each in the next
// turn, alone, answered after its commit. Control thread.
#pragma once

#include "core/store/change_inbox.h"

#include <variant>

namespace redrive {

// Has the work done in a turn and waits for its commit; of other threads, and of processes without turns.
using StoreTurn = std::function<Status(std::function<Status(Cycle&)>)>;

class TurnInbox final : public CyclePart
{
public:
    using Work = std::function<Status(Cycle&)>; // may be asked for again, after a turn that could not commit
    using Inbox = ChangeInbox<Work, std::monostate>;

    void submit(Work work, Inbox::Answer answer) { m_inbox.submit(std::move(work), std::move(answer)); }
    bool hasIncoming() const { return !m_inbox.isEmpty(); }
    // Answers what still waits: no turn follows any more.
    void refuseWaiting() { m_inbox.refuseStopping(); }

    bool hasWork(qint64, qint64) const override { return hasIncoming(); }
    Status apply(Cycle& cycle) override
    {
        return m_inbox.apply(cycle, [](Cycle& turn, const Work& work) -> Result<std::monostate> {
            REDRIVE_TRY(work(turn));
            return std::monostate{};
        });
    }
    void storeRefuses(const std::optional<Error>& why) override
    {
        if (why)
            m_inbox.refuse(*why);
    }
    void rolledBack(const Error& error) override { m_inbox.rolledBack(error); }
    std::optional<qint64> nextDeadline() const override
    {
        return hasIncoming() ? std::optional<qint64>(0) : std::nullopt;
    }

private:
    Inbox m_inbox;
};

} // namespace redrive
