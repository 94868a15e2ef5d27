// Which bodies are read as JSON: any media type, but UTF-8 and not compressed. Any thread.
#pragma once

#include <QByteArrayView>

namespace redrive {

// Null fields were not sent.
bool isReadableMedia(QByteArrayView contentType, QByteArrayView contentEncoding);

} // namespace redrive
