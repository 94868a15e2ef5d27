// The rows of telemetry of the last minutes, put together from what was counted of them: a whole span once,
// then only its end. Window thread.
#pragma once

#include "core/domain/telemetry_minutes.h"

#include <map>
#include <optional>

namespace redrive {

struct TelemetryBar
{
    qint64 atMs = 0;    // the minute's begin
    QList<qint64> rows; // one for each of TelemetryHistory::sources()
    qint64 all = 0;
};

class TelemetryHistory final
{
public:
    // How far back is shown. Another span is to be counted as a whole.
    void setSpan(qint64 ms);
    qint64 spanMs() const { return m_spanMs; }
    // `whole`: what was counted before is dropped; else it stays where `counted` does not reach.
    void take(const TelemetryMinutes& counted, bool whole);
    void clear();
    // From where the end is to be counted again; 0: as a whole.
    qint64 countFromMs() const;

    bool isEmpty() const { return m_minutes.empty(); }
    qint64 fromMs() const { return m_toMs - m_spanMs; } // of the first minute shown
    qint64 toMs() const { return m_toMs; }              // the end of the last one; 0: nothing was counted yet
    // Rows before this were too many to count; nothing: all of the span is counted.
    std::optional<qint64> countedFromMs() const;

    const QStringList& sources() const { return m_sources; }
    QStringList tenants() const; // the one with the most rows first
    // A bar for every minute of the span, of one tenant or of all (a null text).
    QList<TelemetryBar> bars(const QString& tenant = {}) const;

private:
    qint64 m_spanMs = 60 * kMsOfMinute;
    qint64 m_toMs = 0;
    qint64 m_countedFromMs = 0;
    std::map<qint64, QList<TelemetryMinute>> m_minutes;
    QStringList m_sources;
};

} // namespace redrive
