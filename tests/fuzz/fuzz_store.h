// A store of its own for a fuzz target, made at the first use.
#pragma once

#include "core/db/connection.h"

namespace redrive::test {

inline constexpr qint64 kFuzzNowMs = 1'900'000'000'000;

Connection& fuzzStore();

} // namespace redrive::test
