// Which deliveries of an endpoint go first. Stored as its number. Any thread.
#pragma once

#include <array>

namespace redrive {

enum class SendClass {
    Fresh = 0, // first attempts, and what an operator asked for by hand
    Late = 1,  // retries
    Bulk = 2,  // replays of many
};

inline constexpr std::array kSendClasses{SendClass::Fresh, SendClass::Late, SendClass::Bulk};

} // namespace redrive
