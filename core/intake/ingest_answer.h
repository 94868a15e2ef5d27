// What POST /ingest and its like answer. Any thread.
#pragma once

#include "core/intake/ingest_request.h"

namespace redrive {

// {"status":"accepted","eventId":…}, after /ingest/sync "stored".
QByteArray eventAnswer(const IngestReply& reply, bool stored);
// {"accepted":2,"rejected":1,"errors":[{"index":…,"code":…,"error":…}],"eventIds":[…]}: the ids of those
// accepted, in their order.
QByteArray eventBatchAnswer(const IngestReply& reply, QByteArrayView errors, qsizetype rejected);
// The value of "errors".
QByteArray eventErrors(const QList<RejectedEvent>& rejected);
// The same shape for a batch without a good event, and what every refusal has.
QByteArray eventBatchRefusal(const QList<RejectedEvent>& rejected, const QString& requestId);

} // namespace redrive
