// Shares an endpoint's places between its classes: of eight, five for fresh deliveries, two for late and one
// for bulk. A class that has nothing leaves its places to the others, fresh first. Pure; any thread.
#pragma once

#include "core/domain/send_class.h"

#include <array>
#include <cstddef>

namespace redrive {

using PerClass = std::array<int, kSendClasses.size()>;
using HasDue = std::array<bool, kSendClasses.size()>;

class ClassTurns final
{
public:
    // How many of `places` each class gets. `has`: which may have something.
    PerClass share(int places, const HasDue& has)
    {
        PerClass shares{};
        if (!has[0] && !has[1] && !has[2])
            return shares;
        for (; places > 0; --places) {
            size_t wanted = size_t(kTurns[m_next]);
            m_next = static_cast<unsigned char>((m_next + 1) % kTurns.size());
            if (!has[wanted])
                wanted = has[0] ? 0 : has[1] ? 1 : 2;
            ++shares[wanted];
        }
        return shares;
    }

private:
    static constexpr auto F = SendClass::Fresh;
    static constexpr auto L = SendClass::Late;
    static constexpr auto B = SendClass::Bulk;
    static constexpr std::array kTurns{F, F, L, F, F, L, F, B};
    unsigned char m_next = 0;
};

} // namespace redrive
