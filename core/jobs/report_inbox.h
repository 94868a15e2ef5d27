// What workers report to the control thread. Owned together: a worker may report after the engine has gone.
#pragma once

#include "core/jobs/batch_handler.h"

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace redrive {

struct HandlerReport
{
    qint64 claimNo = 0;
    HandlerOutcome outcome; // of a job
    BatchOutcome batch;     // of a batch
    qint64 tookUs = 0;
};

// Any thread.
class ReportInbox final
{
public:
    explicit ReportInbox(std::function<void()> wake) : m_wake(std::move(wake)) {}

    void put(HandlerReport report)
    {
        std::lock_guard lock(m_mutex);
        if (!m_wake)
            return;
        m_reports.push_back(std::move(report));
        if (m_reports.size() == 1)
            m_wake();
    }
    std::vector<HandlerReport> take()
    {
        std::lock_guard lock(m_mutex);
        return std::exchange(m_reports, {});
    }
    bool isEmpty() const
    {
        std::lock_guard lock(m_mutex);
        return m_reports.empty();
    }
    // Later reports are dropped and wake nobody.
    void close()
    {
        std::lock_guard lock(m_mutex);
        m_wake = {};
    }

private:
    mutable std::mutex m_mutex;   // guards the rest
    std::function<void()> m_wake; // empty: closed
    std::vector<HandlerReport> m_reports;
};

} // namespace redrive
