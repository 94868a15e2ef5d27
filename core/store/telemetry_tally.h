// Counts rows of telemetry by minute, tenant and source, in bounded steps, the newest first. The reading
// connection's thread.
#pragma once

#include "core/domain/telemetry_minutes.h"
#include "core/store/source_scan.h"

#include <QHash>

#include <map>

namespace redrive {

class TelemetryTally final
{
public:
    // Of what was made from `fromMs` on and before `toMs`, both moved to whole minutes.
    TelemetryTally(qint64 fromMs, qint64 toMs, qint64 mostRows = TelemetryMinutes::kMostRows);

    // One bounded piece of work; true: all is counted.
    Result<bool> step(Connection& db);
    // Once all is counted.
    TelemetryMinutes minutes() const;

private:
    struct Place
    {
        qint64 minute = 0;
        int tenant = 0;
        int source = 0;

        auto operator<=>(const Place&) const = default;
    };

    Status begin(Connection& db);
    int indexOf(const QString& tenant);
    void cutAt(qint64 frontierMs);

    qint64 m_fromMs;
    qint64 m_toMs;
    qint64 m_mostRows;
    bool m_begun = false;
    bool m_cut = false;
    QStringList m_sources;
    std::vector<SourceScan> m_scans; // one for each source
    QHash<QString, int> m_tenantIndex;
    QStringList m_tenants;
    std::map<Place, qint64> m_rows;
};

} // namespace redrive
