#include "core/engine/store_keeper.h"

#include "core/base/log.h"
#include "core/db/checkpoint.h"
#include "core/db/store_check.h"
#include "core/db/store_fault.h"
#include "core/db/write_probe.h"
#include "core/store/waiting_jobs.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr qint64 kAgainWithinMs = 10'000;

} // namespace

StoreKeeper::StoreKeeper(Connection& db, const Clock& clock, qint64 ballastBytes)
    : m_db(db), m_clock(clock), m_watch(db.target()), m_ballast(db.target().path, ballastBytes)
{
}

StoreUse StoreKeeper::use() const
{
    switch (m_fault) {
    case Fault::None:
    case Fault::Busy:
        return StoreUse::Everything;
    case Fault::Full:
        return StoreUse::Records;
    case Fault::Unwritable:
    case Fault::Gone:
    case Fault::Halted:
        break;
    }
    return StoreUse::Nothing;
}

std::optional<Error> StoreKeeper::problem() const
{
    std::lock_guard lock(m_mutex);
    return m_problem;
}

QStringList StoreKeeper::notices() const
{
    std::lock_guard lock(m_mutex);
    return m_notices;
}

void StoreKeeper::show(std::optional<Error> problem)
{
    std::lock_guard lock(m_mutex);
    if (problem && (!m_problem || m_problem->text() != problem->text()))
        logEvent(LogLevel::Error, "store_problem", {{"error", problem->text()}});
    if (!problem && m_problem)
        logEvent(LogLevel::Notice, "store_works_again");
    m_problem = std::move(problem);
}

void StoreKeeper::look()
{
    const qint64 now = m_clock.steadyMs();
    if (now < m_nextLookMs)
        return;
    m_nextLookMs = now + kLookEveryMs;
    if (m_fault == Fault::Halted)
        return;
    if (checkFile() && m_fault == Fault::Gone)
        over();
    if ((m_fault == Fault::Full || m_fault == Fault::Unwritable) && now >= m_nextProbeMs)
        probe();
    if (m_fault == Fault::None && now >= m_nextProbeMs)
        keepBallast();
}

Status StoreKeeper::checkFile()
{
    if (m_fault == Fault::Halted)
        return fail(*m_refusal);
    const Status there = m_watch.check();
    if (!there && m_fault != Fault::Gone)
        enter(Fault::Gone, there.error());
    return there;
}

// The store takes changes again and the space for them is there.
bool StoreKeeper::mayWrite()
{
    return (m_fault != Fault::Full || m_ballast.isRoom()) && probeWrite(m_db).has_value();
}

void StoreKeeper::probe()
{
    m_nextProbeMs = m_clock.steadyMs() + m_probeEveryMs;
    if (mayWrite())
        over();
}

void StoreKeeper::keepBallast()
{
    m_nextProbeMs = m_clock.steadyMs() + kLongestProbeMs;
    QStringList notices;
    switch (m_ballast.make()) {
    case Ballast::Made::Yes:
        break;
    case Ballast::Made::NoRoom:
        notices.append(
            u"There is no room to keep %1 MB in hand for a full disk"_s.arg(m_ballast.bytes() >> 20));
        break;
    case Ballast::Made::Failed:
        notices.append(u"Nothing is kept in hand for a full disk: %1 cannot be made (%2)"_s.arg(
            m_ballast.path(), m_ballast.failure()));
        break;
    }
    std::lock_guard lock(m_mutex);
    if (!notices.isEmpty() && notices != m_notices)
        logEvent(LogLevel::Notice, "no_ballast", {{"text", notices.first()}});
    m_notices = std::move(notices);
}

Error StoreKeeper::turnFailed(const Error& error)
{
    const qint64 now = m_clock.steadyMs();
    if (const Status there = checkFile(); !there)
        return there.error();
    FaultFigures figures;
    if (error.kind == ErrorKind::StorageFull) {
        m_ballast.giveBack();
        figures.waitingJobs = countWaitingJobs(m_db).value_or(0);
        figures.bytesWanted = m_ballast.bytes();
    }
    Error described = describeFault(m_db.target(), error, figures);
    switch (described.kind) {
    case ErrorKind::Busy:
        if (!m_busySinceMs)
            m_busySinceMs = now;
        m_fault = Fault::Busy;
        if (now - *m_busySinceMs >= kBusyShownMs)
            show(described);
        if (now - *m_busySinceMs >= kBusyRefusedMs)
            m_refusal = described;
        break;
    case ErrorKind::StorageFull:
        enter(Fault::Full, described);
        (void)checkpoint(m_db, CheckpointMode::Truncate); // what the log holds may fit into the file itself
        break;
    case ErrorKind::ReadOnly:
    case ErrorKind::ConnectionLost:
        enter(Fault::Unwritable, described);
        break;
    case ErrorKind::Corrupt:
        halt(described);
        return m_refusal.value_or(described);
    default: // of the rows, not of the store: the parts find out which
        show(described);
        break;
    }
    return described;
}

void StoreKeeper::turnWorked()
{
    if (m_fault == Fault::Busy)
        over();
    else if (m_fault == Fault::None)
        show(std::nullopt);
}

bool StoreKeeper::isAgain(qint64 steadyMs) const
{
    return m_overAtMs && steadyMs - *m_overAtMs < kAgainWithinMs;
}

void StoreKeeper::enter(Fault fault, Error error)
{
    const qint64 now = m_clock.steadyMs();
    if (m_fault != fault) {
        m_probeEveryMs = isAgain(now) ? std::min(2 * m_probeEveryMs, kLongestProbeMs) : kProbeEveryMs;
        m_nextProbeMs = now + m_probeEveryMs;
    }
    m_fault = fault;
    m_busySinceMs.reset();
    m_refusal = error;
    show(std::move(error));
}

void StoreKeeper::over()
{
    m_fault = Fault::None;
    m_busySinceMs.reset();
    m_refusal.reset();
    m_overAtMs = m_clock.steadyMs();
    m_nextProbeMs = *m_overAtMs + kProbeEveryMs;
    show(std::nullopt);
}

void StoreKeeper::halt(const Error& why)
{
    if (m_fault == Fault::Halted || (why.kind == ErrorKind::Corrupt && !checkFile()))
        return;
    m_db.keepLogOnClose();
    enter(Fault::Halted, withRecoverHint(m_db.target(), explainStoreError(m_db.target(), why)));
}

} // namespace redrive
