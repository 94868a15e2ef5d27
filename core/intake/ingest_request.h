// The body of POST /ingest and its like, checked: syntax, size and characters, not what it says. Any thread.
#pragma once

#include "core/intake/http_problem.h"
#include "core/intake/intake_port.h"

#include <QByteArrayView>

namespace redrive {

inline constexpr qsizetype kMostEventsInBatch = 500;

struct RejectedEvent
{
    qsizetype index = 0; // in the batch, from 0
    HttpProblem problem;
};

struct ReadEvents
{
    IngestRequest request; // the good ones; of a batch perhaps none
    QList<RejectedEvent> rejected;
};

// One event: the whole body. `idempotencyKey` is null when the header was not sent.
tl::expected<ReadEvents, HttpProblem> readEvent(QByteArrayView body, QByteArrayView idempotencyKey);
// A JSON array of events, or one a line (NDJSON; blank lines are nothing), each judged by itself and of
// `eventBytes` at most. Refused as a whole: no event or too many, an array that is broken as such.
tl::expected<ReadEvents, HttpProblem> readEventBatch(QByteArrayView body, QByteArrayView idempotencyKey,
                                                     qint64 eventBytes);

} // namespace redrive
