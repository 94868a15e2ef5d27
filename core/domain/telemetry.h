// Events of /ingest and the rows they become in system_telemetry. Plain values; any thread. Times are unix
// milliseconds.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace redrive {

// A member of an event: text, or the JSON of a value of another kind, which the table refuses.
struct TelemetryField
{
    QString text;
    QByteArray otherJson; // of a number, true, an object …; empty: it is text

    bool isText() const { return otherJson.isEmpty(); }
};

struct NewTelemetry
{
    QString id; // UUIDv7
    TelemetryField source;
    TelemetryField tenantId;
    QByteArray payload; // the exact bytes received
    qint64 createdAtMs = 0;
};

struct TelemetrySize
{
    qint64 rows = 0;
    qint64 bytes = 0; // of the payloads
    // Of these, what was in the user's own table before: retention leaves it alone.
    qint64 keptRows = 0;
    qint64 keptBytes = 0;
};

// What retention has deleted for one reason since the store was made.
struct TelemetryPruned
{
    qint64 rows = 0;
    qint64 bytes = 0;
    qint64 lastRows = 0; // of the last pass
    std::optional<qint64> lastAtMs;
};

struct TelemetryPruning
{
    TelemetryPruned byAge;
    TelemetryPruned bySize;
};

// Of the batch writer since the engine's start.
struct TelemetryFigures
{
    bool consumed = false;         // this engine writes the queue's events
    quint64 rows = 0;              // written
    quint64 batches = 0;           // committed, whole or in parts
    quint64 isolations = 0;        // batches with rows that were refused
    quint64 poison = 0;            // rows that were refused for good
    quint64 extraTransactions = 0; // savepoints beyond one a batch
    QList<int> recentBatchSizes;   // newest last, at most kBatchSizesKept
    double rowsPerSecond = 0;      // over the last ten seconds
    std::optional<qint64> lagMs;   // what the oldest row of the last batch waited; nothing yet: none written
    std::optional<qint64> lastRowMs; // when it was written
    QString waitsBecause;            // why the writer waits, in words; empty: it does not
    std::optional<qint64> waitsUntilMs;
};

inline constexpr int kBatchSizesKept = 60;

} // namespace redrive
