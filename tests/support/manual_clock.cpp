#include "tests/support/manual_clock.h"

namespace redrive::test {

int ManualClock::addWaker(std::function<void()> waker)
{
    std::lock_guard lock(m_mutex);
    m_wakers.emplace(m_nextHandle, std::move(waker));
    return m_nextHandle++;
}

void ManualClock::removeWaker(int handle)
{
    std::lock_guard lock(m_mutex);
    m_wakers.erase(handle);
}

void ManualClock::advance(qint64 ms)
{
    m_passedMs += ms;
    wakeAll();
}

void ManualClock::jumpWall(qint64 ms)
{
    m_wallMs += ms;
    wakeAll();
}

void ManualClock::wakeAll()
{
    std::lock_guard lock(m_mutex);
    for (const auto& [handle, waker] : m_wakers)
        waker();
}

} // namespace redrive::test
