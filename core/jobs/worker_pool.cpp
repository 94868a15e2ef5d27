#include "core/jobs/worker_pool.h"

#include <pthread.h>

#include <string>

namespace redrive {

WorkerPool::WorkerPool(int threads)
{
    for (int i = 0; i < threads; ++i)
        m_threads.emplace_back([this, i] { run(i); });
}

WorkerPool::~WorkerPool()
{
    stop();
}

void WorkerPool::submit(std::function<void()> task)
{
    std::lock_guard lock(m_mutex);
    m_tasks.push_back(std::move(task));
    m_wake.notify_one();
}

size_t WorkerPool::stop()
{
    size_t dropped = 0;
    {
        std::lock_guard lock(m_mutex);
        m_stopping = true;
        dropped = m_tasks.size();
        m_tasks.clear();
        m_wake.notify_all();
    }
    for (std::thread& thread : m_threads)
        if (thread.joinable())
            thread.join();
    return dropped;
}

void WorkerPool::run(int number)
{
    pthread_setname_np(pthread_self(), ("worker-" + std::to_string(number)).c_str());
    for (;;) {
        std::function<void()> task;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_stopping || !m_tasks.empty(); });
            if (m_stopping)
                return;
            task = std::move(m_tasks.front());
            m_tasks.pop_front();
        }
        task();
    }
}

} // namespace redrive
