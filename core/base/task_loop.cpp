#include "core/base/task_loop.h"

#include <pthread.h>

namespace redrive {

TaskLoop::TaskLoop(Clock& clock) : m_clock(clock)
{
    m_waker = m_clock.addWaker([this] {
        std::lock_guard lock(m_mutex);
        m_woken = true;
        m_wake.notify_one();
    });
}

TaskLoop::~TaskLoop()
{
    stop();
    m_clock.removeWaker(m_waker);
}

void TaskLoop::start(const char* threadName, std::function<std::optional<qint64>()> cycle, Task leave)
{
    m_thread = std::thread([this, threadName, cycle = std::move(cycle), leave = std::move(leave)] {
        run(threadName, cycle, leave);
    });
}

bool TaskLoop::post(Task task)
{
    std::lock_guard lock(m_mutex);
    if (m_stopping)
        return false;
    m_tasks.push_back(std::move(task));
    m_wake.notify_one();
    return true;
}

void TaskLoop::stop()
{
    {
        std::lock_guard lock(m_mutex);
        m_stopping = true;
        m_wake.notify_one();
    }
    if (m_thread.joinable())
        m_thread.join();
}

bool TaskLoop::isCurrentThread() const
{
    return std::this_thread::get_id() == m_thread.get_id();
}

void TaskLoop::run(const char* threadName, const std::function<std::optional<qint64>()>& cycle,
                   const Task& leave)
{
    pthread_setname_np(pthread_self(), threadName);
    std::optional<qint64> deadline = cycle ? cycle() : std::nullopt;
    for (;;) {
        std::deque<Task> burst;
        bool last = false;
        {
            std::unique_lock lock(m_mutex);
            waitForWork(lock, deadline);
            burst.swap(m_tasks);
            m_woken = false;
            last = m_stopping;
        }
        for (Task& task : burst)
            task();
        if (cycle)
            deadline = cycle();
        if (last)
            break;
    }
    if (leave)
        leave();
}

void TaskLoop::waitForWork(std::unique_lock<std::mutex>& lock, std::optional<qint64> deadline)
{
    const auto ready = [this] { return m_stopping || m_woken || !m_tasks.empty(); };
    if (!deadline || !m_clock.movesByItself()) {
        if (deadline && *deadline <= m_clock.steadyMs())
            return;
        m_wake.wait(lock, ready);
        return;
    }
    const qint64 wait = *deadline - m_clock.steadyMs();
    if (wait > 0)
        m_wake.wait_for(lock, std::chrono::milliseconds(wait), ready);
}

} // namespace redrive
