// What a question is answered with when the engine ends before it can be done. Any thread.
#pragma once

#include "core/base/result.h"

namespace redrive {

inline Error engineIsStopping()
{
    return {ErrorKind::Refused, u"the engine is stopping"_s, u"stopping"_s, {}};
}

} // namespace redrive
