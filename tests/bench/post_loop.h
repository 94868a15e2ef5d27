// The floor of what a sender can cost: libcurl's multi interface alone, posting the same bytes to the same
// server, and recording nothing.
#pragma once

#include <QByteArray>
#include <QtGlobal>

namespace redrive::bench {

// Posts a second. `inFlight` at once, each with the headers that a delivery has.
double postLoop(quint16 port, int posts, int inFlight, const QByteArray& body);

} // namespace redrive::bench
