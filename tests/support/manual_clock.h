// A clock that stands still until a test moves it. Any thread.
#pragma once

#include "core/base/clock.h"

#include <atomic>
#include <map>
#include <mutex>

namespace redrive::test {

class ManualClock final : public Clock
{
public:
    explicit ManualClock(qint64 wallMs = 1'900'000'000'000) : m_wallMs(wallMs) {}

    qint64 wallMs() const override { return m_wallMs + m_passedMs; }
    qint64 steadyMs() const override { return 1'000'000 + m_passedMs; }
    qint64 bootMs() const override { return 2'000'000 + m_passedMs; }
    bool movesByItself() const override { return false; }
    int addWaker(std::function<void()> waker) override;
    void removeWaker(int handle) override;

    void advance(qint64 ms);
    // Moves the wall clock alone, as a person or NTP would.
    void jumpWall(qint64 ms);

private:
    void wakeAll();

    std::atomic<qint64> m_wallMs;
    std::atomic<qint64> m_passedMs = 0;
    std::mutex m_mutex; // guards m_wakers
    std::map<int, std::function<void()>> m_wakers;
    int m_nextHandle = 1;
};

} // namespace redrive::test
