// Pauses, continues, stops redrives that are under way, changes their rate and takes them back. Takes what
// the console asks for in its turn; a command-line process calls steerRedrive() in a turn of its own. Control
// thread.
#pragma once

#include "core/domain/redrive.h"
#include "core/store/change_inbox.h"

namespace redrive {

// Writes the order and its row of the audit. NotFound; Conflict when its state does not allow it.
Result<RedriveInfo> steerRedrive(Cycle& cycle, const RedriveOrder& order);

class RedriveSteering final : public CyclePart
{
public:
    using Inbox = ChangeInbox<RedriveOrder, RedriveInfo>;

    // `steered`: called after the commit of a turn in which something was.
    explicit RedriveSteering(std::function<void()> steered) : m_steered(std::move(steered)) {}

    // In the next turn; answers after its commit.
    void submit(RedriveOrder order, Inbox::Answer answer)
    {
        m_inbox.submit(std::move(order), std::move(answer));
    }
    // Answers what still waits: no turn follows any more.
    void refuseWaiting() { m_inbox.refuseStopping(); }
    bool hasIncoming() const { return !m_inbox.isEmpty(); }

    bool hasWork(qint64, qint64) const override { return hasIncoming(); }
    Status apply(Cycle& cycle) override;
    void rolledBack(const Error& error) override { m_inbox.rolledBack(error); }
    void storeRefuses(const std::optional<Error>& why) override;
    std::optional<qint64> nextDeadline() const override
    {
        return hasIncoming() ? std::optional<qint64>(0) : std::nullopt;
    }

private:
    std::function<void()> m_steered;
    Inbox m_inbox;
};

} // namespace redrive
