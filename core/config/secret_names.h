// Keys that name a secret. No message repeats what stands in the file: it may be the secret itself. Any
// thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"

#include <QByteArray>
#include <QHash>

#include <optional>

namespace redrive {

// The name, if it is one and the secret exists and is not empty.
std::optional<QString> readSecretName(const ConfigValue& value, const QHash<QString, QByteArray>& secrets,
                                      Diagnostics& out);

// The same for a signing secret (`whsec_` + base64 of at least 16 bytes; a warning under 24).
std::optional<QString> readSigningSecretName(const ConfigValue& value,
                                             const QHash<QString, QByteArray>& secrets, Diagnostics& out);

} // namespace redrive
