// Open descriptors this process may have. Any thread.
#pragma once

namespace redrive {

// Raises the soft limit towards `wanted`, as far as the hard limit allows; never lowers it. Returns what is
// allowed now.
long raiseDescriptorLimit(long wanted);

} // namespace redrive
