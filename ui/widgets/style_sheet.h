// The one short sheet, for flat chrome only; everything else is RedriveStyle. Window thread.
#pragma once

#include <QString>

namespace redrive {

struct Look;
QString chromeSheet(const Look& look);

} // namespace redrive
