// The secrets that are kept in a data folder. Reads files; any thread.
#pragma once

#include "core/config/load_settings.h"
#include "core/config/secret_store.h"

#include <memory>

namespace redrive {

std::unique_ptr<SecretStore> secretStoreIn(const QString& dataFolder);

// All of them, or why they cannot be read.
KeptSecrets keptSecretsIn(const QString& dataFolder);

} // namespace redrive
