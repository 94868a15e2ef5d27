#include "ui/models/telemetry_history.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace redrive {

namespace {

constexpr qint64 kCountedAgainMs = 2 * kMsOfMinute; // events that waited in the queue come late

} // namespace

void TelemetryHistory::setSpan(qint64 ms)
{
    m_spanMs = ms;
    clear();
}

void TelemetryHistory::clear()
{
    m_minutes.clear();
    m_sources.clear();
    m_toMs = 0;
    m_countedFromMs = 0;
}

qint64 TelemetryHistory::countFromMs() const
{
    return m_toMs == 0 ? 0 : m_toMs - kMsOfMinute - kCountedAgainMs;
}

void TelemetryHistory::take(const TelemetryMinutes& counted, bool whole)
{
    if (whole || counted.cut) {
        m_minutes.clear();
        m_countedFromMs = counted.cut ? counted.fromMs : 0;
    }
    m_toMs = counted.toMs;
    m_minutes.erase(m_minutes.lower_bound(counted.fromMs), m_minutes.end());
    m_minutes.erase(m_minutes.begin(), m_minutes.lower_bound(fromMs()));
    for (const TelemetryMinute& minute : counted.minutes)
        m_minutes[minute.atMs].append(minute);
    QSet<QString> sources;
    for (const auto& [atMs, minutes] : m_minutes)
        for (const TelemetryMinute& minute : minutes)
            sources.insert(minute.source);
    m_sources = sources.values();
    m_sources.sort();
}

std::optional<qint64> TelemetryHistory::countedFromMs() const
{
    return m_countedFromMs > fromMs() ? std::optional(m_countedFromMs) : std::nullopt;
}

QStringList TelemetryHistory::tenants() const
{
    QHash<QString, qint64> rows;
    for (const auto& [atMs, minutes] : m_minutes)
        for (const TelemetryMinute& minute : minutes)
            if (!minute.tenantId.isNull())
                rows[minute.tenantId] += minute.rows;
    QStringList tenants = rows.keys();
    std::sort(tenants.begin(), tenants.end(), [&rows](const QString& a, const QString& b) {
        return rows[a] != rows[b] ? rows[a] > rows[b] : a < b;
    });
    return tenants;
}

QList<TelemetryBar> TelemetryHistory::bars(const QString& tenant) const
{
    QList<TelemetryBar> bars;
    if (m_toMs == 0)
        return bars;
    for (qint64 atMs = fromMs(); atMs < m_toMs; atMs += kMsOfMinute) {
        TelemetryBar bar{atMs, QList<qint64>(m_sources.size(), 0), 0};
        if (const auto found = m_minutes.find(atMs); found != m_minutes.end()) {
            for (const TelemetryMinute& minute : found->second) {
                if (!tenant.isNull() && minute.tenantId != tenant)
                    continue;
                bar.rows[m_sources.indexOf(minute.source)] += minute.rows;
                bar.all += minute.rows;
            }
        }
        bars.append(bar);
    }
    return bars;
}

} // namespace redrive
