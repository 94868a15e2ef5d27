// A file layer of the database that gathers what is appended to its log (log_gatherer.h). All other files are
// those of the layer beneath. For connections that sync the log at each commit.
// Any thread. Source: https://www.sqlite.org/vfs.html
#pragma once

#include <QString>

namespace redrive {

// The address of a database file through this layer, to be opened as a URI. Without the layer, which the
// library could only refuse for want of memory, it is the address of the file alone.
QString addressWithGatheredLog(const QString& path);

} // namespace redrive
