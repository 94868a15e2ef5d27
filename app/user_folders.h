// The migrations_dir folders of the configuration against one database. The connection's thread.
#pragma once

#include "core/config/settings.h"
#include "core/db/user_migrations.h"

namespace redrive {

// Each folder once, however many bindings name it.
QList<UserMigrations> userFolders(const Settings& settings);
// Names that the ledgers lack, in the order in which they would be applied.
Result<QStringList> pendingUserFolders(Connection& connection, const Settings& settings);
// Applies what is pending and returns the names; stops at the first that fails.
Result<QStringList> applyUserFolders(Connection& connection, const Settings& settings,
                                     const std::function<void(const QString&)>& onApplied = {});

} // namespace redrive
