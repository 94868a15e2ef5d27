#include "core/domain/job.h"

namespace redrive {

QString toText(JobStatus status)
{
    switch (status) {
    case JobStatus::Pending:
        return QStringLiteral("pending");
    case JobStatus::Processing:
        return QStringLiteral("processing");
    case JobStatus::Done:
        return QStringLiteral("done");
    case JobStatus::Dead:
        return QStringLiteral("dead");
    case JobStatus::Cancelled:
        break;
    }
    return QStringLiteral("cancelled");
}

std::optional<JobStatus> jobStatusFrom(QStringView text)
{
    for (const JobStatus status :
         {JobStatus::Pending, JobStatus::Processing, JobStatus::Done, JobStatus::Dead, JobStatus::Cancelled})
        if (text == toText(status))
            return status;
    return std::nullopt;
}

} // namespace redrive
