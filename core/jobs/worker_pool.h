// The worker threads: each runs one blocking task at a time, in the order they were handed over. Any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace redrive {

class WorkerPool final
{
public:
    explicit WorkerPool(int threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    void submit(std::function<void()> task);
    int threads() const { return int(m_threads.size()); }
    // Tasks that have not begun are dropped and counted; running ones are waited for. Idempotent.
    size_t stop();

private:
    void run(int number);

    std::mutex m_mutex; // guards m_tasks, m_stopping
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_tasks;
    bool m_stopping = false;
    std::vector<std::thread> m_threads;
};

} // namespace redrive
