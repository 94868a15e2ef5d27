// Preloaded into the program under test: every sync of a file takes 50 ms longer, as on a disk that is busy
// with others. Any thread.
#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>

namespace {

constexpr int kDelayMs = 50;

using Sync = int (*)(int);

int slowly(Sync sync, int file)
{
    poll(nullptr, 0, kDelayMs);
    return sync(file);
}

} // namespace

extern "C" int fsync(int file)
{
    static const auto sync = reinterpret_cast<Sync>(dlsym(RTLD_NEXT, "fsync"));
    return slowly(sync, file);
}

extern "C" int fdatasync(int file)
{
    static const auto sync = reinterpret_cast<Sync>(dlsym(RTLD_NEXT, "fdatasync"));
    return slowly(sync, file);
}
