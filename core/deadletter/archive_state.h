// What stands in the archive's folder, beside what the store knows of it. Reads files; any thread.
#pragma once

#include "core/config/settings.h"
#include "core/deadletter/archive_folder.h"
#include "core/store/archive_store.h"

namespace redrive {

// Oldest first.
Result<QList<ArchiveFile>> archiveFiles(Connection& db, const ArchiveFolder& folder);
// For views, but for the backlog, which is the store's.
Result<ArchiveState> readArchiveState(Connection& db, const ArchiveSettings& settings);

} // namespace redrive
