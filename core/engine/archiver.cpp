#include "core/engine/archiver.h"

#include "core/base/log.h"
#include "core/deadletter/archive_uploads.h"

#include <algorithm>

namespace redrive {

namespace {
constexpr qint64 kBytesWrittenASecond = 1024 * 1024; // on the average, however large the day's file is
}

Archiver::Archiver(Clock& clock, DatabaseTarget database, const Settings& settings, TargetGuard guard)
    : m_clock(clock), m_database(std::move(database)), m_settings(settings), m_guard(std::move(guard)),
      m_loop(clock)
{
}

void Archiver::start(StoreTurn turn)
{
    if (m_settings.archive.dir.isEmpty())
        return;
    m_turn = std::move(turn);
    m_nextAtMs = m_nextUploadAtMs = m_clock.steadyMs() + kFirstAfterMs;
    m_loop.start("archive", [this] { return cycle(); });
}

void Archiver::stop()
{
    m_stopping = true;
    m_loop.stop();
}

Archiver::Problems Archiver::problems() const
{
    std::lock_guard lock(m_mutex);
    return m_problems;
}

std::optional<qint64> Archiver::cycle()
{
    if (m_stopping)
        return std::nullopt;
    if (m_clock.steadyMs() >= m_nextAtMs)
        m_nextAtMs = m_clock.steadyMs() + round();
    if (!m_settings.archive.s3)
        return m_nextAtMs;
    if (m_clock.steadyMs() >= m_nextUploadAtMs)
        upload();
    return std::min(m_nextAtMs, m_nextUploadAtMs);
}

qint64 Archiver::round()
{
    const auto report = archive();
    const bool busy = !report && report.error().kind == ErrorKind::Busy; // whoever it is tells
    if (!busy)
        tell(m_problems.archive, "archive", report ? nullptr : &report.error());
    if (!report)
        return kAgainMs;
    return report->more ? kNextMs : std::max(kEveryMs, report->fileBytes * 1000 / kBytesWrittenASecond);
}

Result<ArchiveRound::Report> Archiver::archive()
{
    REDRIVE_ASSIGN(reader, Connection::open(m_database, Access::Reader));
    ArchiveRound archiving(m_settings.archive, m_settings.retention, m_turn, [this] { return !m_stopping; });
    return archiving.run(*reader, m_clock.wallMs());
}

void Archiver::upload()
{
    const Result<int> copied = copyToBucket();
    const bool busy = !copied && copied.error().kind == ErrorKind::Busy;
    if (!busy)
        tell(m_problems.upload, "archive_upload", copied ? nullptr : &copied.error());
    m_uploadPauseMs = copied || busy ? kEveryMs : std::min(m_uploadPauseMs * 2, kLongestUploadPauseMs);
    m_nextUploadAtMs = m_clock.steadyMs() + m_uploadPauseMs;
}

Result<int> Archiver::copyToBucket()
{
    REDRIVE_ASSIGN(reader, Connection::open(m_database, Access::Reader));
    REDRIVE_ASSIGN(uploads,
                   ArchiveUploads::make(m_settings, m_guard, m_turn, [this] { return !m_stopping; }));
    return uploads.run(*reader, m_clock.wallMs());
}

void Archiver::tell(QString& problem, const char* event, const Error* error)
{
    if (error && (error->kind == ErrorKind::Cancelled || m_stopping))
        return;
    const QString words = error ? error->text() : QString();
    std::lock_guard lock(m_mutex);
    if (words == problem)
        return;
    problem = words;
    logEvent(error ? LogLevel::Warning : LogLevel::Notice, event,
             {{"state", error ? u"failed"_s : u"works again"_s}, {"error", words}});
}

} // namespace redrive
