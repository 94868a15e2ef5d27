// What `redrive send` was given, as messages. Pure.
#pragma once

#include "core/queue/send.h"

namespace redrive {

// Json: one value, or one on each line that is not empty; bytes and text: the whole as it is. InvalidInput
// names the line that is no JSON.
Result<QList<OutgoingMessage>> messagesOf(const QByteArray& input, ContentType type);
// Neither empty nor with control characters.
bool isOneLine(const QString& text);

} // namespace redrive
