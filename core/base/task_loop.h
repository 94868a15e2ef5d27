// A thread that runs posted tasks in order and wakes at a deadline. post() from any thread; the rest is
// noted.
#pragma once

#include "core/base/clock.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace redrive {

class TaskLoop final
{
public:
    using Task = std::function<void()>;

    explicit TaskLoop(Clock& clock);
    ~TaskLoop(); // stops and joins
    TaskLoop(const TaskLoop&) = delete;
    TaskLoop& operator=(const TaskLoop&) = delete;

    // Starts the thread. `cycle` runs in it after each drained burst of tasks and at each deadline, and
    // returns the next deadline on the steady clock (ms), or nothing to wait for tasks alone. `leave` runs
    // last in the thread.
    void start(const char* threadName, std::function<std::optional<qint64>()> cycle, Task leave = {});
    // Tasks posted before stop() still run; later ones are dropped and false is returned.
    bool post(Task task);
    // Any thread but its own. Idempotent.
    void stop();
    bool isCurrentThread() const;

private:
    void run(const char* threadName, const std::function<std::optional<qint64>()>& cycle, const Task& leave);
    void waitForWork(std::unique_lock<std::mutex>& lock, std::optional<qint64> deadline);

    Clock& m_clock;
    std::mutex m_mutex; // guards m_tasks, m_stopping, m_woken
    std::condition_variable m_wake;
    std::deque<Task> m_tasks;
    bool m_stopping = false;
    bool m_woken = false;
    int m_waker = 0;
    std::thread m_thread;
};

} // namespace redrive
