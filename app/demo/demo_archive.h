// What the demo's archive holds when it begins: dead letters of the days before, so that there is something
// to look at and to import. Any thread; blocks.
#pragma once

#include "core/base/result.h"

namespace redrive {

Status writeDemoArchive(const QString& folder, qint64 nowMs);

} // namespace redrive
