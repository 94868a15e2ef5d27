// Opens a file that lies beneath one of some folders, whatever its path says: no link is followed on the way,
// nothing but a regular file is opened, and nobody can swap it afterwards, since it is used by its
// descriptor. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/jobs/process_spawn.h"

#include <QStringList>

namespace redrive {

struct OpenedFile
{
    FileDescriptor file; // for reading
    qint64 size = 0;
    QString path; // absolute: its folder, and what was asked for in it
};

// `folders`: absolute. `path`: absolute and inside one of them by its text, or relative to any of them.
// Errors: Refused when it leads out of them, over a link, or to something else than a regular file; NotFound;
// Internal with the system's words.
Result<OpenedFile> openBeneath(const QStringList& folders, const QString& path);

} // namespace redrive
