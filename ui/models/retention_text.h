// What the configuration says, in words. Pure but for translations; window thread.
#pragma once

#include "ui/bridge/engine_bridge.h"

namespace redrive {

// A key of the table retention: "Dead letters".
QString retentionName(const QString& key);
// "/srv/app/wrangler.toml · staging", or that there is none.
QString configurationText(const EngineFacts& facts);

} // namespace redrive
