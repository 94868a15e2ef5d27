// How many rows of telemetry came in each minute, by tenant and source. Plain values; any thread. Times are
// unix milliseconds.
#pragma once

#include <QList>
#include <QStringList>

namespace redrive {

inline constexpr qint64 kMsOfMinute = 60'000;

struct TelemetryMinute
{
    qint64 atMs = 0;  // the minute's begin
    QString tenantId; // null: of all tenants that are not named
    QString source;
    qint64 rows = 0;

    bool operator==(const TelemetryMinute&) const = default;
};

struct TelemetryMinutes
{
    static constexpr qint64 kMostRows = 100'000; // counted at once, the newest ones
    static constexpr int kMostTenants = 50;      // named, those with the most rows

    qint64 fromMs = 0; // later than was asked where `cut`
    qint64 toMs = 0;   // not included
    bool cut = false;  // there are more rows than are counted at once
    qint64 rows = 0;
    QList<TelemetryMinute> minutes; // in order of time; minutes without rows are left out
    QStringList tenants;            // the one with the most rows first
    QStringList sources;            // in order of their names
};

} // namespace redrive
