// An address to listen on, as `redrive.listen` and --listen give it. Pure; any thread.
#pragma once

#include "core/base/result.h"

#include <QHostAddress>

namespace redrive {

struct ListenAddress
{
    QHostAddress host;
    quint16 port = 8787; // 0: the system picks a free one

    bool operator==(const ListenAddress&) const = default;
};

// `127.0.0.1:8787`, `[::1]:8787`, `localhost:8787`, `0.0.0.0:8787`; InvalidInput where it is not of that
// form.
Result<ListenAddress> parseListenAddress(const QString& text);

// Refused where HTTP without TLS would leave loopback: only `insecure_listen` allows that.
Status checkPlainListen(const QString& text, const ListenAddress& address);

} // namespace redrive
