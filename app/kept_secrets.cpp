#include "app/kept_secrets.h"

#include "core/config/secret_file.h"

namespace redrive {

std::unique_ptr<SecretStore> secretStoreIn(const QString& dataFolder)
{
    return std::make_unique<SecretFile>(dataFolder + u"/secrets"_s);
}

KeptSecrets keptSecretsIn(const QString& dataFolder)
{
    const auto store = secretStoreIn(dataFolder);
    auto secrets = store->all();
    if (!secrets)
        return {{}, store->place(), secrets.error().text()};
    return {*std::move(secrets), store->place(), {}};
}

} // namespace redrive
