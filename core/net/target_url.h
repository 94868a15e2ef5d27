// A webhook's address, read strictly. Says nothing about where it leads: that is TargetGuard's. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/net/ip_address.h"

#include <optional>

namespace redrive {

struct TargetUrl
{
    QByteArray encoded; // ASCII, without fragment; what is sent
    QByteArray host;    // lower case ASCII, without brackets
    quint16 port = 0;
    bool isTls = false;
    std::optional<IpAddress> address; // set when the host is an address and not a name
};

// http and https only, no user info, no zone, a port of 1–65535, at most 8,192 characters. Numeric spellings
// of an IPv4 address (2130706433, 0x7f.1) come out as the address they mean.
Result<TargetUrl> parseTargetUrl(const QString& text);

} // namespace redrive
