// The worker threads: each runs one blocking task at a time, in the order they were handed over. Any thread.
//
// A thread whose task does not come back can be given up: another takes its place, and it ends by itself when
// its task does. Such a task may outlive the pool, so it must own what it uses.
#pragma once

#include <QStringList>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace redrive {

struct WorkerTask
{
    qint64 key = 0; // unique among the tasks under way
    QString what;   // for people, should its thread be given up
    std::function<void()> run;
};

class WorkerPool final
{
public:
    explicit WorkerPool(int threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    void submit(WorkerTask task);
    int threads() const { return m_count; }
    // False when no thread is at this task (any more).
    bool giveUp(qint64 key);
    // Thread and task of those that were given up and have not ended.
    QStringList givenUp() const;
    // Tasks that have not begun are dropped and counted; running ones are waited for as long as `waitMs`,
    // then given up. Idempotent.
    size_t stop(qint64 waitMs = 1'000);

private:
    struct Shared;
    struct Worker;

    void addThread();
    static void work(const std::shared_ptr<Shared>& shared, const std::shared_ptr<Worker>& worker);

    const int m_count;
    std::shared_ptr<Shared> m_shared; // outlives the pool in threads that were given up
};

} // namespace redrive
