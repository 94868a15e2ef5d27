// Pauses, continues, stops redrives that are under way and changes their rate. Takes what the console asks
// for in its turn; a command-line process calls steerRedrive() in a turn of its own. Control thread.
#pragma once

#include "core/domain/redrive.h"
#include "core/store/cycle.h"

namespace redrive {

// Writes the order and its row of the audit. NotFound; Conflict when its state does not allow it.
Result<RedriveInfo> steerRedrive(Cycle& cycle, const RedriveOrder& order);

class RedriveSteering final : public CyclePart
{
public:
    using Answer = std::function<void(Result<RedriveInfo>)>;

    // `steered`: called after the commit of a turn in which something was.
    explicit RedriveSteering(std::function<void()> steered) : m_steered(std::move(steered)) {}

    // In the next turn; answers after its commit.
    void submit(RedriveOrder order, Answer answer);
    // Answers what still waits: no turn follows any more.
    void refuseWaiting();
    bool hasIncoming() const { return !m_incoming.empty(); }

    bool hasWork(qint64, qint64) const override { return hasIncoming(); }
    Status apply(Cycle& cycle) override;
    void rolledBack(const Error& error) override;
    void storeRefuses(const std::optional<Error>& why) override;
    std::optional<qint64> nextDeadline() const override;

private:
    struct Request
    {
        RedriveOrder order;
        Answer answer;
    };

    void answerIncoming(const Error& error);

    std::function<void()> m_steered;
    std::vector<Request> m_incoming;
};

} // namespace redrive
