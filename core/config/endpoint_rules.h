// What an endpoint and a target may say in a configuration. The same as core/net judges when it sends, a room
// on the same level: tests/config/endpoint_rules_test.cpp holds the two together. All are InvalidInput with
// the reason, which never repeats a URL, a header's value or a secret. Pure; any thread.
#pragma once

#include "core/base/result.h"

namespace redrive {

// http or https, a host, no user information, at most 8,192 characters.
Status checkEndpointUrl(const QString& url);

// A token; not a field that Redrive sets (webhook-*, Content-Type) or that frames the message (Host,
// Content-Length, Connection, …). The value has no line breaks and no control characters.
Status checkEndpointHeader(const QString& name, const QString& value);

// `whsec_` and the base64 of 16–64 bytes. The result is the number of bytes.
Result<qsizetype> checkSigningSecret(const QByteArray& secret);

// `ADDRESS` or `ADDRESS/PREFIX`, with `:PORT` behind where one port is meant; brackets around an IPv6 address
// that a port follows.
Status checkPrivateTarget(const QString& text);

} // namespace redrive
