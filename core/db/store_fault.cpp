#include "core/db/store_fault.h"

#include "core/db/lock_holder.h"
#include "core/db/store_check.h"
#include "core/db/write_probe.h"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>

#include <sys/resource.h>

namespace redrive {

namespace {

constexpr qint64 kMega = 1024 * 1024;

QString number(qint64 value)
{
    return QLocale(QLocale::English).toString(value);
}

QString fileName(const DatabaseTarget& target)
{
    return u'\'' + QFileInfo(target.path).fileName() + u'\'';
}

QString folder(const DatabaseTarget& target)
{
    return QFileInfo(target.path).absolutePath();
}

std::optional<qint64> fileSizeLimit()
{
    struct rlimit limit = {};
    if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::nullopt;
    return qint64(limit.rlim_cur);
}

// A disk that cannot be written any more answers with the same code as one without space.
ErrorKind kindOf(const DatabaseTarget& target, const Error& error)
{
    const bool writing = error.kind == ErrorKind::StorageFull || error.kind == ErrorKind::ConnectionLost;
    return writing && isOnReadOnlyFileSystem(target) ? ErrorKind::ReadOnly : error.kind;
}

QString jobsWait(qint64 count)
{
    return count == 1 ? u"1 job waits"_s : u"%1 jobs wait"_s.arg(number(count));
}

QString fullText(const DatabaseTarget& target, const FaultFigures& figures)
{
    const QString refused = u"new jobs are refused, %1."_s.arg(jobsWait(figures.waitingJobs));
    if (const auto limit = fileSizeLimit())
        return u"The limit of %1 bytes a file is reached in %2: %3 Raise the limit; work resumes by itself."_s
            .arg(number(*limit), folder(target), refused);
    return u"Disk full on %1: %2 Free at least %3 MB; work resumes by itself."_s.arg(
        folder(target), refused, number(std::max<qint64>(1, figures.bytesWanted / kMega)));
}

QString heldBy(const DatabaseTarget& target)
{
    return writeLockHolder(target).value_or(u"another process"_s);
}

} // namespace

Error describeFault(const DatabaseTarget& target, const Error& error, const FaultFigures& figures)
{
    Error described = error;
    described.kind = kindOf(target, error);
    switch (described.kind) {
    case ErrorKind::Busy:
        described.message =
            u"Database busy: %1 holds %2. Work resumes by itself."_s.arg(heldBy(target), fileName(target));
        described.detail.clear();
        break;
    case ErrorKind::StorageFull:
        described.message = fullText(target, figures);
        described.detail.clear();
        break;
    case ErrorKind::ReadOnly:
        described.message =
            u"%1 is read-only: the file or its folder cannot be written. New jobs are refused; "
            u"work resumes by itself."_s.arg(fileName(target));
        described.detail.clear();
        break;
    case ErrorKind::ConnectionLost:
        described.message = u"%1 in '%2' cannot be read or written. New jobs are refused; work resumes by "
                            u"itself"_s.arg(fileName(target), folder(target));
        break;
    default:
        break;
    }
    return described;
}

Error describeFailure(const DatabaseTarget& target, const Error& error)
{
    const ErrorKind kind = kindOf(target, error);
    if (kind == ErrorKind::Busy)
        return {kind,
                u"the database %1 is busy: %2 holds it. Try again"_s.arg(fileName(target), heldBy(target)),
                {},
                {}};
    if (kind == ErrorKind::StorageFull)
        return {kind, u"Disk full on %1: nothing was written"_s.arg(folder(target)), error.detail, {}};
    Error corrected = error;
    corrected.kind = kind;
    return withRecoverHint(target, explainStoreError(target, corrected));
}

} // namespace redrive
