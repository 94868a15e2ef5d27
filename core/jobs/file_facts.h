// What can be said of a file's content: size, SHA-256 and MIME type. Any thread.
#pragma once

#include "core/base/result.h"

#include <functional>

namespace redrive {

struct FileFacts
{
    qint64 size = 0;   // as read
    QByteArray sha256; // hexadecimal
    QString mimeType;
};

// Reads the file from its beginning; its name tells nothing. `goOn` is asked before every MiB; false ends it
// with Cancelled.
Result<FileFacts> readFileFacts(int file, const std::function<bool()>& goOn);

} // namespace redrive
