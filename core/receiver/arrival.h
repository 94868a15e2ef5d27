// A request that arrived at the receiver. Plain value; any thread.
#pragma once

#include "core/net/signature_check.h"

namespace redrive {

struct Arrival
{
    quint64 no = 0;  // 1, 2, 3 …
    qint64 atMs = 0; // unix
    QByteArray method;
    QByteArray target;
    QByteArray webhookId; // empty: none was sent
    qint64 attempt = 1;   // of that id on that path; of the path alone without an id
    qint64 bodyBytes = 0;
    SignatureFinding signature;
    QString answer; // what is done with it, in words
};

// For people, on one line: control characters of what was sent are escaped.
QString arrivalLine(const Arrival& arrival);
// One JSON object without a line end.
QByteArray arrivalJson(const Arrival& arrival);

} // namespace redrive
