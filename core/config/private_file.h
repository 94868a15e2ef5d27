// Files that hold secrets and that only their owner may read. Any thread; whoever writes sees to it that
// nobody else does.
#pragma once

#include "core/base/result.h"

#include <QByteArray>

#include <optional>

namespace redrive::private_file {

// Nothing when there is none. Refused: the file is a link or no regular file, belongs to somebody else, or
// others may read or write it.
Result<std::optional<QByteArray>> read(const QString& path);
// Makes it or replaces it, durably, so that a reader sees the one before or the one after.
Status write(const QString& path, const QByteArray& text);
// Makes the folder, for the owner alone, where there is none.
Status makeFolder(const QString& folder);

} // namespace redrive::private_file
