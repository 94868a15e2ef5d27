#include "core/store/telemetry_source.h"

#include <algorithm>

namespace redrive {

namespace {

// One look into the index for each kind, however many rows there are.
constexpr char kKinds[] =
    "WITH RECURSIVE kinds (kind, place) AS ("
    "SELECT (SELECT min(source) FROM system_telemetry), 1 UNION ALL "
    "SELECT (SELECT min(source) FROM system_telemetry WHERE source > kind), place + 1 FROM kinds "
    "WHERE kind IS NOT NULL AND place <= ?) "
    "SELECT kind FROM kinds WHERE kind IS NOT NULL";
constexpr char kHasRowsWithoutKind[] = "SELECT 1 FROM system_telemetry WHERE source IS NULL LIMIT 1";

ListSource source(const QString& condition, qint64 fromMs, std::optional<qint64> toMs)
{
    ListSource source;
    source.from = u"system_telemetry t"_s;
    source.rowKey = u"t.{rowkey}"_s;
    source.condition = condition;
    source.order = {{u"t.created_at"_s, true}};
    source.table = FilterTable::Telemetry;
    source.low = fromMs;
    source.high = toMs;
    return source;
}

ListSource byId()
{
    ListSource source;
    source.from = u"system_telemetry t"_s;
    source.rowKey = u"t.{rowkey}"_s;
    source.order = {{u"t.id"_s, false}};
    source.table = FilterTable::Telemetry;
    source.idsMayBeMissing = true;
    return source;
}

// What every match has: the tenant, the kind, and when it was made.
struct Demands
{
    std::optional<QString> tenant;
    std::optional<QString> kind;
    qint64 fromMs = 0; // rows without a time are in no list
    std::optional<qint64> toMs;

    void from(qint64 ms) { fromMs = std::max(fromMs, ms); }
    void until(qint64 ms) { toMs = toMs ? std::min(*toMs, ms) : ms; }
};

void addAge(Demands& demands, const FilterTerm& term, qint64 nowMs)
{
    const qint64 atMs = nowMs - term.number;
    switch (term.relation) {
    case FilterRelation::Below:
    case FilterRelation::AtMost:
        demands.from(atMs);
        break;
    case FilterRelation::Above:
    case FilterRelation::AtLeast:
        demands.until(atMs);
        break;
    case FilterRelation::Is:
        demands.from(atMs);
        demands.until(atMs);
        break;
    }
}

void addTo(Demands& demands, const FilterNode& node, qint64 nowMs)
{
    if (node.kind == FilterNode::And) {
        for (const FilterNode& part : node.parts)
            addTo(demands, part, nowMs);
        return;
    }
    if (node.kind != FilterNode::Term)
        return;
    const FilterTerm& term = node.term;
    const bool exact = !term.anyStart && !term.anyEnd;
    switch (term.field) {
    case FilterField::Tenant:
        if (exact)
            demands.tenant = term.text;
        break;
    case FilterField::Source:
        if (exact)
            demands.kind = term.text;
        break;
    case FilterField::Since:
        demands.from(term.number);
        break;
    case FilterField::Until:
        demands.until(term.number);
        break;
    case FilterField::Age:
        addAge(demands, term, nowMs);
        break;
    default:
        break;
    }
}

} // namespace

Result<QStringList> telemetryKinds(Connection& db)
{
    QStringList kinds;
    auto query = db.query(kKinds);
    query.bind(kMostTelemetryKinds);
    while (query.next())
        kinds.append(u""_s + query.text(0));
    REDRIVE_TRY(query.status());
    auto without = db.query(kHasRowsWithoutKind);
    if (without.next())
        kinds.append(QString());
    REDRIVE_TRY(without.status());
    return kinds;
}

ListSource telemetryOfKind(const QString& kind, qint64 fromMs, std::optional<qint64> toMs)
{
    if (kind.isNull())
        return source(u"t.source IS NULL"_s, fromMs, toMs);
    ListSource ofKind = source(u"t.source = ?"_s, fromMs, toMs);
    ofKind.conditionBinds = {kind};
    return ofKind;
}

ListSource telemetryOfTenant(const QString& tenant, qint64 fromMs, std::optional<qint64> toMs)
{
    ListSource ofTenant = source(u"t.tenant_id = ?"_s, fromMs, toMs);
    ofTenant.conditionBinds = {tenant};
    return ofTenant;
}

Result<std::vector<ListSource>> telemetrySources(Connection& db, const FilterNode& filter, qint64 nowMs)
{
    if (namesOneRow(filter)) {
        ListSource one = byId();
        one.oneRow = true;
        return std::vector{one};
    }
    Demands demands;
    addTo(demands, filter, nowMs);
    if (demands.tenant)
        return std::vector{telemetryOfTenant(*demands.tenant, demands.fromMs, demands.toMs)};
    REDRIVE_ASSIGN(kinds, telemetryKinds(db));
    if (kinds.size() > kMostTelemetryKinds && !demands.kind)
        return std::vector{byId()};
    std::vector<ListSource> sources;
    for (const QString& kind : kinds)
        if (!demands.kind || *demands.kind == kind)
            sources.push_back(telemetryOfKind(kind, demands.fromMs, demands.toMs));
    return sources;
}

} // namespace redrive
