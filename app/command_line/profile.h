// A profile: profiles/NAME.toml in the data folder names a configuration, an environment and a database, and
// says how careful the program is there. Reads one file; any thread.
#pragma once

#include "core/base/result.h"

#include <QStringList>

namespace redrive {

struct Profile
{
    QString name; // empty: none is used
    QString configFile;
    QString environment;
    QString database;
    QString colour;          // of the window's frame, one of profileColours(); empty: plain
    bool production = false; // opens read-only, commands need --yes and --reason
    bool engine = true;      // false: as `view`, and commands leave actions to a running engine
};

const QStringList& profileColours();

// InvalidInput: an unknown name, with the known ones; everything that is wrong in the file, a line each in
// `detail`. Relative paths in it are relative to the folder of the profiles.
Result<Profile> loadProfile(const QString& dataFolder, const QString& name);

} // namespace redrive
