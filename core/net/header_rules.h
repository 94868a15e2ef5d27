// Which header fields may be sent. Pure; any thread.
#pragma once

#include "core/base/result.h"

#include <QByteArray>

namespace redrive {

// A token as RFC 9110 has it as name; a value without NUL, CR, LF and other control characters; not one of
// the fields that frame the message (Host, Content-Length, Transfer-Encoding, Connection …), which the sender
// owns.
Status checkHeader(const QByteArray& name, const QByteArray& value);

// The same for fields an endpoint's configuration adds: those of the signature and Content-Type are refused
// too.
Status checkCustomHeader(const QByteArray& name, const QByteArray& value);

// A custom field whose value may be shown: others often carry tokens, under any name.
bool isHarmlessHeader(const QByteArray& name);

} // namespace redrive
