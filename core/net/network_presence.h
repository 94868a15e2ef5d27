// Whether this machine has a network at all, as its interfaces say. Any thread.
#pragma once

namespace redrive {

// No interface beside loopback is up with an address that reaches beyond its own link.
bool isCutOff();

} // namespace redrive
