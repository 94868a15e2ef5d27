#include "app/operator_name.h"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace redrive {

QString operatorName()
{
    passwd entry = {};
    passwd* found = nullptr;
    std::array<char, 4096> buffer = {};
    if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found)
        return QString::fromLocal8Bit(found->pw_name);
    return QString::number(::getuid());
}

} // namespace redrive
