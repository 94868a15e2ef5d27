// The Retry-After field of an answer. Pure; any thread. Source: RFC 9110, 10.2.3 and 5.6.7.
#pragma once

#include <QByteArray>

#include <optional>

namespace redrive {

inline constexpr qint64 kRetryAfterCapMs = 86'400'000;

// How long to wait, 0 to 24 h: whole seconds or one of the three forms of an HTTP date. Nothing when the
// value is neither.
std::optional<qint64> retryAfterMs(const QByteArray& value, qint64 nowMs);

} // namespace redrive
