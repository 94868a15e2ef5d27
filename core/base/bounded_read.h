// Reading from outside with an upper limit: what is longer is refused, in place of taking a part of it for
// the whole. Any thread; blocks.
#pragma once

#include "core/base/result.h"

#include <QIODevice>

namespace redrive {

// All that the open device has. InvalidInput where that is more than `most` bytes; `what` names it for
// people.
Result<QByteArray> readAtMost(QIODevice& device, qint64 most, const QString& what);

} // namespace redrive
