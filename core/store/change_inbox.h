// Changes that people ask the control thread for: each is made alone in the next turn, and answered after the
// turn's commit. Control thread.
#pragma once

#include "core/base/stopping.h"
#include "core/store/lone_change.h"

#include <functional>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace redrive {

template <typename Change, typename Changed>
class ChangeInbox final
{
public:
    using Answer = std::function<void(Result<Changed>)>;

    void submit(Change change, Answer answer)
    {
        m_incoming.push_back({std::move(change), std::move(answer)});
    }
    bool isEmpty() const { return m_incoming.empty(); }

    // Inside the turn's transaction. `changeOne(cycle, change)` makes one; an error of the store fails the
    // turn, any other one is that change's answer.
    template <typename ChangeOne>
    Status apply(Cycle& cycle, const ChangeOne& changeOne)
    {
        if (m_incoming.empty())
            return {};
        m_writing.swap(m_incoming);
        auto results = std::make_shared<std::vector<Result<Changed>>>();
        for (const Request& request : m_writing) {
            Result<Changed> changed = changeAlone(cycle, [&] { return changeOne(cycle, request.change); });
            if (!changed && concernsTheStore(changed.error()))
                return fail(changed.error());
            results->push_back(std::move(changed));
        }
        cycle.afterCommit.push_back([this, results] {
            const auto answered = std::exchange(m_writing, {});
            for (std::size_t i = 0; i < results->size(); ++i)
                answered[i].answer(std::move((*results)[i]));
        });
        return {};
    }

    // After an error of another part's row, or a lock, the next turn does the same again.
    void rolledBack(const Error& error)
    {
        m_incoming.insert(m_incoming.begin(), std::make_move_iterator(m_writing.begin()),
                          std::make_move_iterator(m_writing.end()));
        m_writing.clear();
        if (concernsTheStore(error) && error.kind != ErrorKind::Busy)
            refuse(error);
    }

    // Answers what still waits.
    void refuse(const Error& error)
    {
        for (const Request& request : std::exchange(m_incoming, {}))
            request.answer(fail(error));
    }
    void refuseStopping() { refuse(engineIsStopping()); }

private:
    struct Request
    {
        Change change;
        Answer answer;
    };

    std::vector<Request> m_incoming;
    std::vector<Request> m_writing; // of a turn whose commit is not known yet
};

} // namespace redrive
