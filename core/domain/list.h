// Lists as the console and the command line read them: first the keys of all rows that match, in slices, then
// rows by key. Plain values; any thread.
#pragma once

#include "core/base/result.h"
#include "core/domain/activity.h"
#include "core/domain/dead_letter.h"
#include "core/domain/delivery.h"
#include "core/domain/job.h"

#include <variant>
#include <vector>

namespace redrive {

enum class ListKind { Jobs, Timers, DeadLetters, Bin, Deliveries, Activity, Telemetry };

enum class SortField {
    Newest,  // by id, number or time: the order of making
    Due,     // next attempt; Timers only
    Updated, // over open and dead rows, and the newest 10,000 finished matches
    Type,
    Queue,
    Attempts,
    Error,
    State,
    Endpoint,
};

// A retry timer: a job or a delivery that waits for its due time.
struct TimerRow
{
    qint64 key = 0; // row key × 2, + 1 for a delivery
    bool isDelivery = false;
    QString id;
    QString type;       // job type or event type
    QString queue;      // jobs
    QString endpointId; // deliveries
    int attempts = 0;
    int maxAttempts = 0;
    QString reason;
    QString error;
    qint64 dueAtMs = 0;
    qint64 updatedAtMs = 0;
    std::optional<qint64> breakerUntilMs; // a delivery's, see DeliveryRow
};

// A row of system_telemetry.
struct TelemetryRow
{
    qint64 key = 0;
    QString id;
    QString source;
    QString tenantId;
    QString payload; // lists: its beginning; exports: all of it
    qint64 payloadBytes = 0;
    qint64 createdAtMs = 0;
};

struct ListRequest
{
    ListKind kind = ListKind::Jobs;
    QString filter; // the query language of filter.h
    SortField sort = SortField::Newest;
    bool ascending = false;
    int limit = 0; // 0: all
};

// Slices of one request come in order; `last` ends it. One that is neither and has no keys only tells how far
// the search has come.
struct ListSlice
{
    std::vector<qint64> keys;
    bool first = false;
    bool last = false;
    qint64 searched = 0; // rows looked at so far, all slices together
    bool cut = false;    // more rows match than this order can show
};

using ListRows = std::variant<QList<JobRow>, QList<TimerRow>, QList<LetterRow>, QList<DeliveryRow>,
                              QList<ActivityRow>, QList<TelemetryRow>>;

} // namespace redrive
