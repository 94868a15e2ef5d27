// The text of `listen` in the configuration. Any thread.
#pragma once

#include "core/base/result.h"

#include <QHostAddress>

namespace redrive {

struct ListenAddress
{
    QHostAddress address; // loopback
    quint16 port = 0;     // 0: a free one is picked

    QString host() const; // as it stands in a URL: 127.0.0.1 or [::1]
};

// "127.0.0.1:8787", "localhost:0", "[::1]:8787". InvalidInput: none of these; Refused: not on loopback.
Result<ListenAddress> parseListenAddress(const QString& text);

} // namespace redrive
