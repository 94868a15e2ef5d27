// Writes what a list shows into a file, row by row from one reading connection. The file appears whole, under
// its name, or not at all.
#pragma once

#include "core/base/clock.h"
#include "core/db/connection.h"
#include "core/domain/export.h"
#include "core/engine/engine_api.h"
#include "core/store/job_read_store.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

namespace redrive {

// Cancelled once `stop` is set. Internal: the file cannot be written, in words for people.
Result<ExportDone> exportList(Connection& db, const ExportRequest& request, const QueueAttempts& attempts,
                              qint64 nowMs, const std::atomic<bool>& stop);

// Exports in a thread of its own, one at a time. start() and stop(): one thread.
class ListExporter final
{
public:
    ListExporter(Clock& clock, DatabaseTarget target, QueueAttempts attempts);
    ~ListExporter() { stop(); }

    // Refused while another one runs. Answers on the exporter's thread.
    void start(ExportRequest request, Reply<ExportDone> reply);
    // Ends what runs; nothing is left of its file.
    void stop();

private:
    Clock& m_clock;
    const DatabaseTarget m_target;
    const QueueAttempts m_attempts;
    std::mutex m_mutex; // guards m_thread against start() beside stop()
    std::thread m_thread;
    std::atomic<bool> m_running = false;
    std::atomic<bool> m_stop = false;
};

} // namespace redrive
