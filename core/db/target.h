// Which database, and how a connection to it may be used. Plain values.
#pragma once

#include <QString>

namespace redrive {

struct DatabaseTarget
{
    QString path; // absolute path of the embedded database file
};

enum class Access {
    Writer, // the process's one writing connection: also the only one that checkpoints
    Reader, // refuses every change
};

} // namespace redrive
