// Brings letters back from files of the archive, one file after the other, on a thread of its own: it reads
// there, and has the letters written in turns of the control thread, so many at a time. start(), stop() from
// the thread that owns it; the rest from any thread. Answers come on its thread.
#pragma once

#include "core/base/task_loop.h"
#include "core/config/settings.h"
#include "core/db/target.h"
#include "core/deadletter/letter_import.h"

#include <atomic>

class QFile;

namespace redrive {

class LetterImporter final
{
public:
    static constexpr qint64 kProgressMs = 100;

    // Until one is the last; an error is the last, too.
    using OnProgress = std::function<void(Result<ImportProgress>)>;

    LetterImporter(Clock& clock, DatabaseTarget database);
    ~LetterImporter() { stop(); }
    LetterImporter(const LetterImporter&) = delete;
    LetterImporter& operator=(const LetterImporter&) = delete;

    void start(StoreTurn turn);
    // What is being read ends with what it has, and its record is written. Idempotent.
    void stop();
    bool isStopping() const { return m_stopping; }

    // Errors: the file cannot be opened (NotFound), nothing was read of it.
    void import(ImportRequest request, OnProgress onProgress);
    // Ends what is read and what waits to be read; what was brought back stays.
    void cancel() { ++m_cancelled; }

private:
    struct Run;
    void perform(const ImportRequest& request, quint64 cancelledBefore, const OnProgress& onProgress);
    Status read(Run& run);
    void tellNow(Run& run, const LetterImport& letters, const QFile& file);
    static void record(LetterImport& letters, const ImportRequest& request, const ImportProgress& progress);

    Clock& m_clock;
    DatabaseTarget m_database;
    StoreTurn m_turn;
    std::atomic<bool> m_stopping = false;
    std::atomic<bool> m_started = false;
    std::atomic<quint64> m_cancelled = 0;
    TaskLoop m_loop; // last, so that its thread ends first
};

} // namespace redrive
