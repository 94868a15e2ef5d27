// Reads the whole store once after the start of an engine and tells of damage, on a thread and a connection
// of its own. Large ones are read once a week. start() and stop() from the thread that owns it.
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/db/target.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace redrive {

class StoreChecker final
{
public:
    static constexpr qint64 kLargeBytes = 256LL * 1024 * 1024;
    static constexpr qint64 kLargeEveryMs = 7LL * 24 * 3600 * 1000;

    StoreChecker(const Clock& clock, DatabaseTarget target) : m_clock(clock), m_target(std::move(target)) {}
    ~StoreChecker() { stop(); }
    StoreChecker(const StoreChecker&) = delete;
    StoreChecker& operator=(const StoreChecker&) = delete;

    // `onDamage` comes on the checker's thread.
    void start(std::function<void(const Error&)> onDamage);
    // Interrupts the reading. Idempotent.
    void stop();

private:
    bool isDue() const;
    void run(const std::function<void(const Error&)>& onDamage);
    Status check();

    const Clock& m_clock;
    DatabaseTarget m_target;
    std::mutex m_mutex; // guards the rest
    std::condition_variable m_changed;
    bool m_stopping = false;
    bool m_running = false;
    std::function<void()> m_interrupt; // while a statement may run
    std::thread m_thread;              // the owner's
};

} // namespace redrive
