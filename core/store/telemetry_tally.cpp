#include "core/store/telemetry_tally.h"

#include "core/store/telemetry_source.h"

#include <QSet>

#include <algorithm>
#include <numeric>

namespace redrive {

namespace {

constexpr int kRowsOfStep = 4'000; // some milliseconds

qint64 minuteOf(qint64 ms)
{
    return ms - ms % kMsOfMinute;
}

} // namespace

TelemetryTally::TelemetryTally(qint64 fromMs, qint64 toMs, qint64 mostRows)
    : m_fromMs(minuteOf(std::max<qint64>(fromMs, 0))), m_toMs(minuteOf(toMs + kMsOfMinute - 1)),
      m_mostRows(mostRows)
{
}

Status TelemetryTally::begin(Connection& db)
{
    REDRIVE_ASSIGN(kinds, telemetryKinds(db));
    m_sources = kinds.mid(0, kMostTelemetryKinds);
    for (const QString& kind : std::as_const(m_sources))
        m_scans.emplace_back(telemetryOfKind(kind, m_fromMs, m_toMs - 1), FilterSql(), false,
                             u"t.created_at, t.tenant_id"_s);
    m_begun = true;
    return {};
}

int TelemetryTally::indexOf(const QString& tenant)
{
    const auto known = m_tenantIndex.constFind(tenant);
    if (known != m_tenantIndex.cend())
        return *known;
    m_tenants.append(tenant);
    m_tenantIndex.insert(tenant, int(m_tenants.size()) - 1);
    return int(m_tenants.size()) - 1;
}

Result<bool> TelemetryTally::step(Connection& db)
{
    if (!m_begun)
        REDRIVE_TRY(begin(db));
    // The scan that is furthest behind, so that all are read down to about the same time.
    const auto behind = std::min_element(m_scans.begin(), m_scans.end(), [](const auto& a, const auto& b) {
        if (a.atEnd() != b.atEnd())
            return b.atEnd();
        if (!a.frontier() || !b.frontier())
            return !a.frontier() && b.frontier();
        return *a.frontier() > *b.frontier();
    });
    if (behind == m_scans.end() || behind->atEnd())
        return true;
    const qint64 searched =
        std::accumulate(m_scans.begin(), m_scans.end(), qint64(0),
                        [](qint64 sum, const auto& scan) { return sum + scan.searched(); });
    if (searched >= m_mostRows && behind->frontier()) {
        cutAt(*behind->frontier());
        return true;
    }
    const int source = int(behind - m_scans.begin());
    REDRIVE_TRY(behind->step(db, kRowsOfStep, [this, source](qint64, const Query& row) {
        const int tenant = indexOf(row.text(2));
        ++m_rows[{minuteOf(row.int64(1)), tenant, source}];
    }));
    return false;
}

// Minutes that are not wholly read are not told, unless there is no other.
void TelemetryTally::cutAt(qint64 frontierMs)
{
    m_cut = true;
    const qint64 whole = minuteOf(frontierMs) + kMsOfMinute;
    m_fromMs = whole < m_toMs ? whole : minuteOf(frontierMs);
    m_rows.erase(m_rows.begin(), m_rows.lower_bound({m_fromMs, 0, 0}));
}

TelemetryMinutes TelemetryTally::minutes() const
{
    TelemetryMinutes told;
    told.fromMs = m_fromMs;
    told.toMs = m_toMs;
    told.cut = m_cut;
    QList<qint64> rowsOfTenant(m_tenants.size(), 0);
    for (const auto& [place, rows] : m_rows)
        rowsOfTenant[place.tenant] += rows;
    QList<int> order(m_tenants.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return rowsOfTenant[a] > rowsOfTenant[b]; });
    QList<bool> named(m_tenants.size(), false);
    for (const int tenant : std::as_const(order)) {
        if (told.tenants.size() == TelemetryMinutes::kMostTenants || rowsOfTenant[tenant] == 0)
            break;
        named[tenant] = true;
        told.tenants.append(m_tenants[tenant]);
    }
    QSet<int> sources;
    for (const auto& [place, rows] : m_rows) {
        const QString tenant = named[place.tenant] ? u""_s + m_tenants[place.tenant] : QString();
        TelemetryMinute minute{place.minute, tenant, m_sources[place.source], rows};
        told.rows += rows;
        sources.insert(place.source);
        told.minutes.append(std::move(minute));
    }
    for (int i = 0; i < m_sources.size(); ++i)
        if (sources.contains(i))
            told.sources.append(m_sources[i]);
    return told;
}

} // namespace redrive
