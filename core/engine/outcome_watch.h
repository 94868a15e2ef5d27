// Tells, after the parts that record outcomes, that something a redrive began has ended. Control thread.
#pragma once

#include "core/store/cycle.h"

namespace redrive {

class OutcomeWatch final : public CyclePart
{
public:
    // `noted`: after the commit of a turn in which outcomes were.
    explicit OutcomeWatch(std::function<void()> noted) : m_noted(std::move(noted)) {}

    bool hasWork(qint64, qint64) const override { return false; }
    Status apply(Cycle& cycle) override
    {
        if (cycle.outcomesNoted)
            cycle.afterCommit.push_back(m_noted);
        return {};
    }
    std::optional<qint64> nextDeadline() const override { return std::nullopt; }

private:
    std::function<void()> m_noted;
};

} // namespace redrive
