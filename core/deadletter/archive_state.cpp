#include "core/deadletter/archive_state.h"

#include "core/deadletter/archive_uploads.h"

#include <algorithm>

namespace redrive {

Result<QList<ArchiveFile>> archiveFiles(Connection& db, const ArchiveFolder& folder)
{
    REDRIVE_ASSIGN(records, archive_store::records(db));
    QList<ArchiveFile> files = folder.files();
    for (ArchiveFile& file : files)
        for (const ArchiveRecord& record : records)
            if (record.name == file.name)
                file.record = record;
    return files;
}

Result<ArchiveState> readArchiveState(Connection& db, const ArchiveSettings& settings)
{
    ArchiveState state;
    state.dir = settings.dir;
    if (settings.s3)
        state.bucket = ArchiveUploads::placeOf(*settings.s3);
    if (settings.dir.isEmpty())
        return state;
    REDRIVE_ASSIGN(files, archiveFiles(db, ArchiveFolder(settings.dir)));
    std::reverse(files.begin(), files.end());
    state.files = files;
    state.problem = ArchiveFolder(settings.dir).obstacle();
    return state;
}

} // namespace redrive
