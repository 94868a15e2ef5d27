// The files that the demo's process_file jobs are about. Any thread.
#pragma once

#include "core/base/result.h"

namespace redrive {

// prices.csv, stock.csv, and a folder `inbox`, which is no file.
Status writeDemoFiles(const QString& folder);

} // namespace redrive
