#include "core/engine/archiver.h"

#include "core/base/log.h"
#include "core/base/stopping.h"
#include "core/deadletter/archive_state.h"
#include "core/deadletter/archive_uploads.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr qint64 kBytesWrittenASecond = 1024 * 1024; // on the average, however large the day's file is

} // namespace

Archiver::Archiver(Clock& clock, DatabaseTarget database, const Settings& settings, TargetGuard guard)
    : m_clock(clock), m_database(std::move(database)), m_settings(settings), m_guard(std::move(guard)),
      m_desk(clock), m_loop(clock)
{
}

void Archiver::start(StoreTurn turn, bool byItself)
{
    if (m_settings.archive.dir.isEmpty())
        return;
    m_turn = std::move(turn);
    m_byItself = byItself;
    m_nextAtMs = m_nextUploadAtMs = m_clock.steadyMs() + kFirstAfterMs;
    m_desk.start("archive-desk", [] { return std::optional<qint64>(); });
    m_loop.start("archive", [this] { return cycle(); });
    m_started = true;
}

void Archiver::stop()
{
    m_stopping = true;
    m_loop.stop();
    m_desk.stop();
}

ArchiveHealth Archiver::health() const
{
    std::lock_guard lock(m_mutex);
    ArchiveHealth health = m_health;
    health.isOn = !m_settings.archive.dir.isEmpty();
    health.copies = m_settings.archive.s3.has_value();
    return health;
}

void Archiver::state(Answer<ArchiveState> answer)
{
    if (m_settings.archive.dir.isEmpty()) {
        answer(ArchiveState());
        return;
    }
    const bool posted = m_started && m_desk.post([this, answer] {
        answer([this]() -> Result<ArchiveState> {
            REDRIVE_ASSIGN(reader, Connection::open(m_database, Access::Reader));
            REDRIVE_ASSIGN(state, readArchiveState(*reader, m_settings.archive));
            REDRIVE_ASSIGN(backlog, archive_store::backlog(*reader, m_settings.retention.lettersMs,
                                                           m_settings.retention.binMs, m_clock.wallMs()));
            state.backlog = backlog;
            return state;
        }());
    });
    if (!posted)
        answer(fail(engineIsStopping()));
}

void Archiver::doNow(ArchiveTask task, Answer<ArchiveTaskDone> answer)
{
    const bool posted =
        m_started && !m_stopping && m_loop.post([this, task, answer] { answer(perform(task)); });
    if (posted)
        return;
    if (m_settings.archive.dir.isEmpty())
        answer(fail(ErrorKind::Refused,
                    u"there is no archive: redrive.archive.dir is where it is written to"_s));
    else
        answer(fail(engineIsStopping()));
}

Result<ArchiveTaskDone> Archiver::perform(ArchiveTask task)
{
    if (task == ArchiveTask::Write)
        return writeAllDue();
    if (!m_settings.archive.s3)
        return fail(ErrorKind::Refused, u"archive.s3 is not configured: the files are copied nowhere"_s);
    REDRIVE_ASSIGN(copied, copyToBucket(true));
    m_uploadPauseMs = kEveryMs;
    m_nextUploadAtMs = m_clock.steadyMs() + m_uploadPauseMs;
    return ArchiveTaskDone{copied};
}

Result<ArchiveTaskDone> Archiver::writeAllDue()
{
    ArchiveTaskDone done;
    for (bool more = true; more;) {
        REDRIVE_ASSIGN(report, archive());
        done.count += report.letters;
        more = report.more;
    }
    m_nextAtMs = m_clock.steadyMs() + kEveryMs;
    return done;
}

std::optional<qint64> Archiver::cycle()
{
    if (m_stopping || !m_byItself)
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
    if (!report)
        return kAgainMs;
    return report->more ? kNextMs : std::max(kEveryMs, report->fileBytes * 1000 / kBytesWrittenASecond);
}

Result<ArchiveRound::Report> Archiver::archive()
{
    auto report = [this]() -> Result<ArchiveRound::Report> {
        REDRIVE_ASSIGN(reader, Connection::open(m_database, Access::Reader));
        ArchiveRound archiving(m_settings.archive, m_settings.retention, m_turn,
                               [this] { return !m_stopping; });
        return archiving.run(*reader, m_clock.wallMs());
    }();
    tell(m_health.writing, "archive", report ? nullptr : &report.error());
    std::lock_guard lock(m_mutex);
    m_health.letters += report ? report->letters : 0;
    return report;
}

void Archiver::upload()
{
    const Result<int> copied = copyToBucket(false);
    const bool goesOn = copied || copied.error().kind == ErrorKind::Busy;
    m_uploadPauseMs = goesOn ? kEveryMs : std::min(m_uploadPauseMs * 2, kLongestUploadPauseMs);
    m_nextUploadAtMs = m_clock.steadyMs() + m_uploadPauseMs;
}

Result<int> Archiver::copyToBucket(bool all)
{
    auto copied = [&]() -> Result<int> {
        REDRIVE_ASSIGN(reader, Connection::open(m_database, Access::Reader));
        REDRIVE_ASSIGN(uploads,
                       ArchiveUploads::make(m_settings, m_guard, m_turn, [this] { return !m_stopping; }));
        return uploads.run(*reader, m_clock.wallMs(), all);
    }();
    tell(m_health.copying, "archive_upload", copied ? nullptr : &copied.error());
    std::lock_guard lock(m_mutex);
    m_health.copied += copied.value_or(0);
    return copied;
}

void Archiver::tell(std::optional<ArchiveProblem>& problem, const char* event, const Error* error)
{
    if (error && (error->kind == ErrorKind::Cancelled || m_stopping))
        return;
    if (error && error->kind == ErrorKind::Busy) // whoever it is tells
        return;
    const QString words = error ? error->text() : QString();
    std::lock_guard lock(m_mutex);
    if (words == (problem ? problem->why : QString()))
        return;
    if (!error)
        problem.reset();
    else
        problem = ArchiveProblem{words, problem ? problem->sinceMs : m_clock.wallMs()};
    logEvent(error ? LogLevel::Warning : LogLevel::Notice, event,
             {{"state", error ? u"failed"_s : u"works again"_s}, {"error", words}});
}

} // namespace redrive
