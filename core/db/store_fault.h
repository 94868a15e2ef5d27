// What keeps a running engine from writing, in sentences for the operator. Any thread; looks at the file
// system and, for a lock, at the processes.
#pragma once

#include "core/base/result.h"
#include "core/db/target.h"

#include <optional>

namespace redrive {

struct FaultFigures
{
    qint64 waitingJobs = 0;
    qint64 bytesWanted = 0; // free, before work resumes
};

// An error of kind Busy, StorageFull, ReadOnly or ConnectionLost as a whole sentence, the kind corrected
// where the file system knows better (a disk that became read-only answers like a full one). Others
// unchanged.
Error describeFault(const DatabaseTarget& target, const Error& error, const FaultFigures& figures);

// The same for a command that is not an engine: nothing was written, and nothing resumes. Names damage as
// explainStoreError() does.
Error describeFailure(const DatabaseTarget& target, const Error& error);

} // namespace redrive
