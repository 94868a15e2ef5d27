// Time as the engine sees it. Everything that waits or stamps takes a Clock, so that tests pass time
// themselves. Any thread.
#pragma once

#include <QString>

#include <functional>

namespace redrive {

class Clock
{
public:
    virtual ~Clock() = default;

    virtual qint64 wallMs() const = 0;   // UTC, unix milliseconds; may jump
    virtual qint64 steadyMs() const = 0; // never jumps; stops during sleep
    virtual qint64 bootMs() const = 0;   // CLOCK_BOOTTIME: never jumps, goes on during sleep; leases

    // A clock that only moves when told answers false: waiters then sleep until woken.
    virtual bool movesByItself() const { return true; }
    // Called after every jump of a clock that does not move by itself. Returns a handle for removeWaker().
    virtual int addWaker(std::function<void()>) { return 0; }
    virtual void removeWaker(int) {}
};

class SystemClock final : public Clock
{
public:
    qint64 wallMs() const override;
    qint64 steadyMs() const override;
    qint64 bootMs() const override;
};

// Identifies one boot of this machine: lease times of another boot are meaningless.
QString bootId();

} // namespace redrive
