// Sending a delivery again because an operator asks for it. Control thread inside a turn, or a command-line
// process in a transaction of its own; a running engine notices the wish after the commit.
#pragma once

#include "core/domain/send_class.h"
#include "core/store/cycle.h"

#include <QStringList>

namespace redrive {

// Queues one more attempt with the same event id and body, a new timestamp and a new signature. Returns the
// words of a refusal, or an empty text. If the replay fails, a delivery in backoff keeps its due time, and a
// delivered one stays delivered; a dead one starts a fresh budget and its letter is requeued. Replaying a
// delivery whose endpoint is disabled (it answered 410) is the operator's probe: if it succeeds the endpoint
// is enabled again and its held deliveries go out. `sendClass`: Bulk where many are replayed at once.
Result<QString> replayDelivery(Cycle& cycle, const QString& deliveryId,
                               SendClass sendClass = SendClass::Fresh);

// What replayDelivery() would answer now.
Result<QString> replayRefusal(Connection& db, const QString& deliveryId);

// The default selection of a job's replay: its failed and dead deliveries, oldest first, never delivered or
// discarded ones.
Result<QStringList> failedDeliveriesOfJob(Connection& db, const QString& jobId);

} // namespace redrive
