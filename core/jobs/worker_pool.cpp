#include "core/jobs/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <pthread.h>

namespace redrive {

struct WorkerPool::Worker
{
    std::thread thread;
    QString name;
    WorkerTask task; // under way; key 0: none
    bool givenUp = false;
    bool ended = false;
};

struct WorkerPool::Shared
{
    std::mutex mutex; // guards the rest
    std::condition_variable wake;
    std::condition_variable ended;
    std::deque<WorkerTask> tasks;
    std::vector<std::shared_ptr<Worker>> workers;
    int nextNumber = 0;
    bool stopping = false;

    void giveUp(Worker& worker)
    {
        worker.givenUp = true;
        worker.thread.detach();
    }
};

WorkerPool::WorkerPool(int threads) : m_count(threads), m_shared(std::make_shared<Shared>())
{
    std::lock_guard lock(m_shared->mutex);
    for (int i = 0; i < threads; ++i)
        addThread();
}

WorkerPool::~WorkerPool()
{
    stop();
}

void WorkerPool::addThread()
{
    auto worker = std::make_shared<Worker>();
    worker->name = QStringLiteral("worker-%1").arg(m_shared->nextNumber++);
    worker->thread = std::thread([shared = m_shared, worker] { work(shared, worker); });
    m_shared->workers.push_back(std::move(worker));
}

void WorkerPool::submit(WorkerTask task)
{
    std::lock_guard lock(m_shared->mutex);
    m_shared->tasks.push_back(std::move(task));
    m_shared->wake.notify_one();
}

bool WorkerPool::giveUp(qint64 key)
{
    std::lock_guard lock(m_shared->mutex);
    const auto& workers = m_shared->workers;
    const auto at = std::find_if(workers.begin(), workers.end(), [key](const auto& worker) {
        return worker->task.key == key && !worker->givenUp;
    });
    if (at == workers.end() || m_shared->stopping)
        return false;
    m_shared->giveUp(**at);
    addThread();
    return true;
}

QStringList WorkerPool::givenUp() const
{
    std::lock_guard lock(m_shared->mutex);
    QStringList names;
    for (const auto& worker : m_shared->workers)
        if (worker->givenUp)
            names.append(worker->name + QStringLiteral(": ") + worker->task.what);
    return names;
}

size_t WorkerPool::stop(qint64 waitMs)
{
    std::vector<std::thread> ended;
    size_t dropped = 0;
    {
        std::unique_lock lock(m_shared->mutex);
        m_shared->stopping = true;
        dropped = m_shared->tasks.size();
        m_shared->tasks.clear();
        m_shared->wake.notify_all();
        m_shared->ended.wait_for(lock, std::chrono::milliseconds(waitMs), [this] {
            return std::all_of(m_shared->workers.begin(), m_shared->workers.end(),
                               [](const auto& worker) { return worker->ended || worker->givenUp; });
        });
        for (const auto& worker : m_shared->workers) {
            if (!worker->thread.joinable())
                continue;
            if (worker->ended)
                ended.push_back(std::move(worker->thread));
            else
                m_shared->giveUp(*worker);
        }
    }
    for (std::thread& thread : ended)
        thread.join();
    return dropped;
}

void WorkerPool::work(const std::shared_ptr<Shared>& shared, const std::shared_ptr<Worker>& worker)
{
    pthread_setname_np(pthread_self(), worker->name.toLatin1().constData());
    std::unique_lock lock(shared->mutex);
    for (;;) {
        shared->wake.wait(lock, [&] { return shared->stopping || !shared->tasks.empty(); });
        if (shared->stopping)
            break;
        worker->task = std::move(shared->tasks.front());
        shared->tasks.pop_front();
        lock.unlock();
        worker->task.run();
        lock.lock();
        worker->task = {};
        if (worker->givenUp)
            break;
    }
    worker->ended = true;
    std::erase_if(shared->workers, [&](const auto& other) { return other == worker && worker->givenUp; });
    shared->ended.notify_all();
}

} // namespace redrive
