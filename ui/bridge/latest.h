// The latest question wins: answers to earlier ones are dropped. Window thread only.
#pragma once

#include <QtGlobal>

#include <memory>
#include <utility>

namespace redrive {

class Latest final
{
public:
    // Wraps the answer to a new question; every answer wrapped before is dropped from now on.
    template <typename F>
    auto guard(F answer)
    {
        const quint64 mine = ++*m_asked;
        return [asked = m_asked, mine, answer = std::move(answer)](auto&&... values) mutable {
            if (*asked == mine)
                answer(std::forward<decltype(values)>(values)...);
        };
    }
    void cancel() { ++*m_asked; }

private:
    std::shared_ptr<quint64> m_asked = std::make_shared<quint64>(0);
};

} // namespace redrive
