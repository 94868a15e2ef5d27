// What the engine made of tables says of the archive.
#include "tests/ui/support/fake_engine.h"

namespace redrive::test {

void FakeEngine::setArchive(ArchiveState state)
{
    const std::lock_guard lock(m_mutex);
    m_archive = std::move(state);
}

void FakeEngine::setArchiveDone(Result<ArchiveTaskDone> done)
{
    const std::lock_guard lock(m_mutex);
    m_archiveDone = std::move(done);
}

QList<ArchiveTask> FakeEngine::archiveTasks() const
{
    const std::lock_guard lock(m_mutex);
    return m_archiveTasks;
}

void FakeEngine::setImport(QList<Result<ImportProgress>> preview, QList<Result<ImportProgress>> import)
{
    const std::lock_guard lock(m_mutex);
    m_previewed = std::move(preview);
    m_imported = std::move(import);
}

QList<ImportRequest> FakeEngine::imports() const
{
    const std::lock_guard lock(m_mutex);
    return m_imports;
}

int FakeEngine::importsStopped() const
{
    const std::lock_guard lock(m_mutex);
    return m_importsStopped;
}

void FakeEngine::archive(Reply<ArchiveState> reply)
{
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto state = m_archive;
        lock.unlock();
        reply(state);
    });
}

void FakeEngine::archiveNow(ArchiveTask task, Reply<ArchiveTaskDone> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_archiveTasks.append(task);
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto done = m_archiveDone;
        lock.unlock();
        reply(done);
    });
}

void FakeEngine::importLetters(ImportRequest request, std::function<void(Result<ImportProgress>)> onProgress)
{
    const std::lock_guard lock(m_mutex);
    const auto said = request.previews ? m_previewed : m_imported;
    m_imports.append(std::move(request));
    for (const auto& progress : said)
        m_tasks.push_back([onProgress, progress] { onProgress(progress); });
    m_wake.notify_all();
}

void FakeEngine::stopImports()
{
    const std::lock_guard lock(m_mutex);
    ++m_importsStopped;
}

} // namespace redrive::test
