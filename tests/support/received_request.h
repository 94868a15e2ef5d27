// A request as it arrived on the wire. Values; any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QPair>

#include <optional>

namespace redrive::test {

struct ReceivedRequest
{
    int connection = 0; // 1, 2, 3 … in the order accepted
    QByteArray method;
    QByteArray target;
    QByteArray version; // "HTTP/1.1"
    QList<QPair<QByteArray, QByteArray>> headers;
    QByteArray body;

    // The first field of that name, or null.
    QByteArray header(QByteArrayView name) const;
    int headerCount(QByteArrayView name) const;
};

// Takes one whole request off the front of `buffer` (bodies by Content-Length). Nothing: more bytes are
// needed.
std::optional<ReceivedRequest> takeRequest(QByteArray& buffer);

} // namespace redrive::test
