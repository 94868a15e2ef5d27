#include "core/intake/descriptor_limit.h"

#include <algorithm>
#include <sys/resource.h>

namespace redrive {

long raiseDescriptorLimit(long wanted)
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return -1;
    const rlim_t aim = std::min(rlim_t(wanted), limit.rlim_max);
    if (limit.rlim_cur < aim) {
        const rlim_t before = limit.rlim_cur;
        limit.rlim_cur = aim;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
            limit.rlim_cur = before;
    }
    return long(limit.rlim_cur);
}

} // namespace redrive
