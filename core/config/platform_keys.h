// Keys of a wrangler file that are only about Cloudflare's platform, and binding names of every kind.
// Source: Cloudflare's documentation of the wrangler configuration. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"

#include <QStringList>

namespace redrive {

// Accepted and ignored without a word, at the top level and in environments.
const QStringList& platformKeys();

// A binding name that stands twice, whatever its kinds: an error that names both places. `scope` is the top
// level, or the table of the environment in effect.
void checkBindingNames(const ConfigValue& scope, Diagnostics& out);

} // namespace redrive
