#include "core/store/list_source.h"

#include <algorithm>

namespace redrive {

namespace {

ListSource jobs(const QString& condition, const QList<OrderColumn>& order)
{
    return {u"jobs j"_s, u"j.{rowkey}"_s, condition, order, FilterTable::Jobs, {}, 1, 0, false, false, false};
}

ListSource deliveries(const QString& condition, const QList<OrderColumn>& order)
{
    return {u"webhook_deliveries d"_s,
            u"d.{rowkey}"_s,
            condition,
            order,
            FilterTable::Deliveries,
            {},
            1,
            0,
            false};
}

ListSource letters(ListKind kind)
{
    ListSource source{u"dead_letters l"_s,
                      u"l.no"_s,
                      u"l.state = 'open'"_s,
                      {{u"l.dead_at_ms"_s, true}, {u"l.no"_s, true}},
                      FilterTable::Letters,
                      {},
                      1,
                      0,
                      false,
                      false,
                      false};
    if (kind == ListKind::Bin) {
        source.condition = u"l.state = 'discarded'"_s;
        source.order = {{u"l.changed_at_ms"_s, true}, {u"l.no"_s, true}};
    }
    return source;
}

std::vector<ListSource> timers()
{
    std::vector<ListSource> sources{
        jobs(u"j.due_at_ms IS NOT NULL"_s, {{u"j.due_at_ms"_s, true}, {u"j.{rowkey}"_s, true}}),
        deliveries(u"d.due_at_ms IS NOT NULL"_s, {{u"d.due_at_ms"_s, true}, {u"d.id"_s, false}})};
    for (ListSource& source : sources)
        source.keyFactor = 2;
    sources.back().rowCondition = u"d.status = 'failed'"_s; // those that are pending were never tried
    sources.back().keyOffset = 1;
    return sources;
}

// Actions and alerts, the latest first.
std::vector<ListSource> activity()
{
    ListSource actions{u"audit a"_s,
                       u"a.no"_s,
                       u"1 = 1"_s,
                       {{u"a.at_ms"_s, true}, {u"a.no"_s, true}},
                       FilterTable::Actions,
                       {},
                       2,
                       0,
                       false,
                       false,
                       false};
    ListSource alerts{u"alerts t"_s,
                      u"t.no"_s,
                      u"1 = 1"_s,
                      {{u"t.at_ms"_s, true}, {u"t.no"_s, true}},
                      FilterTable::Alerts,
                      {},
                      2,
                      1,
                      false,
                      false,
                      false};
    return {actions, alerts};
}

ListSource byJobId(const QString& condition)
{
    ListSource source = jobs(condition, {{u"j.id"_s, false}});
    source.idsMayBeMissing = true;
    return source;
}

ListSource byDeliveryId(const QString& condition)
{
    ListSource source = deliveries(condition, {{u"d.id"_s, false}});
    source.idsMayBeMissing = true;
    return source;
}

// The index over open rows serves only statements that repeat its own condition.
constexpr char16_t kOpenJobs[] = u" AND j.status IN ('pending', 'processing')";

ListSource jobsWithStatus(const QString& status)
{
    QString condition = u"j.status = '%1'"_s.arg(status);
    if (status != u"dead")
        condition += QString::fromUtf16(kOpenJobs);
    return byJobId(condition);
}

ListSource deadDeliveries()
{
    return byDeliveryId(u"d.status = 'dead'"_s);
}

ListSource oneJob()
{
    ListSource source = byJobId({});
    source.oneRow = true;
    return source;
}

bool hasIndexedStatus(const QString& status)
{
    return status == u"pending" || status == u"processing" || status == u"dead";
}

std::vector<ListSource> allJobs(const QString& status)
{
    if (hasIndexedStatus(status))
        return {jobsWithStatus(status)};
    ListSource finished = byJobId({});
    finished.rowCondition = u"COALESCE(j.status, '') NOT IN ('pending', 'processing', 'dead')"_s;
    finished.newestOnly = true;
    if (!status.isEmpty())
        return {finished};
    return {jobsWithStatus(u"pending"_s), jobsWithStatus(u"processing"_s), jobsWithStatus(u"dead"_s),
            finished};
}

std::vector<ListSource> allDeliveries(const QString& status)
{
    if (status == u"dead")
        return {deadDeliveries()};
    ListSource finished = byDeliveryId({});
    finished.rowCondition = u"d.due_at_ms IS NULL AND d.instance_no IS NULL AND "
                            u"COALESCE(d.status, '') NOT IN ('held', 'dead')"_s;
    finished.newestOnly = true;
    return {deliveries(u"d.due_at_ms IS NOT NULL"_s, {{u"d.due_at_ms"_s, true}, {u"d.id"_s, false}}),
            deliveries(u"d.instance_no IS NOT NULL"_s, {{u"d.instance_no"_s, true}, {u"d.{rowkey}"_s, true}}),
            deliveries(u"d.status = 'held'"_s, {{u"d.endpoint_id"_s, false}, {u"d.{rowkey}"_s, true}}),
            deadDeliveries(), finished};
}

QString textColumn(const QString& column)
{
    return u"substr(COALESCE(%1, ''), 1, 80)"_s.arg(column);
}

} // namespace

bool namesOneRow(const FilterNode& filter)
{
    if (filter.kind == FilterNode::And)
        return std::any_of(filter.parts.begin(), filter.parts.end(), namesOneRow);
    return filter.kind == FilterNode::Term && filter.term.field == FilterField::Id && !filter.term.anyStart &&
           !filter.term.anyEnd;
}

bool isIndexOrder(ListKind kind, SortField sort)
{
    if (kind == ListKind::Telemetry)
        return true; // it has no other
    return sort == (kind == ListKind::Timers ? SortField::Due : SortField::Newest);
}

std::vector<ListSource> orderedSources(ListKind kind, const FilterNode& filter)
{
    const QString status = requiredStatus(filter);
    switch (kind) {
    case ListKind::Jobs:
        if (namesOneRow(filter))
            return {oneJob()};
        return {hasIndexedStatus(status) ? jobsWithStatus(status) : byJobId({})};
    case ListKind::Timers:
        return timers();
    case ListKind::DeadLetters:
    case ListKind::Bin:
        return {letters(kind)};
    case ListKind::Activity:
        return activity();
    case ListKind::Telemetry:
        return {};
    case ListKind::Deliveries:
        break;
    }
    return {status == u"dead" ? deadDeliveries() : byDeliveryId({})};
}

std::vector<ListSource> allSources(ListKind kind, const FilterNode& filter)
{
    switch (kind) {
    case ListKind::Jobs:
        if (namesOneRow(filter))
            return {oneJob()};
        return allJobs(requiredStatus(filter));
    case ListKind::Timers:
        return timers();
    case ListKind::DeadLetters:
    case ListKind::Bin:
        return {letters(kind)};
    case ListKind::Activity:
        return activity();
    case ListKind::Telemetry:
        return {};
    case ListKind::Deliveries:
        break;
    }
    return allDeliveries(requiredStatus(filter));
}

QString idColumn(FilterTable table)
{
    switch (table) {
    case FilterTable::Jobs:
        return u"j.id"_s;
    case FilterTable::Deliveries:
        return u"d.id"_s;
    case FilterTable::Actions:
        return u"CAST(a.no AS TEXT)"_s;
    case FilterTable::Alerts:
        return u"CAST(t.no AS TEXT)"_s;
    case FilterTable::Telemetry:
        return u"t.id"_s;
    case FilterTable::Letters:
        break;
    }
    return u"l.subject_id"_s;
}

// Of actions and alerts: by time, or by what was done.
static SortValue activitySortValue(SortField sort, FilterTable table)
{
    const bool isAction = table == FilterTable::Actions;
    if (sort == SortField::Type)
        return {isAction ? u"a.verb"_s : u"t.kind"_s, false};
    return {isAction ? u"a.at_ms"_s : u"t.at_ms"_s, true};
}

SortValue sortValue(SortField sort, ListKind kind, FilterTable table)
{
    if (kind == ListKind::Activity)
        return activitySortValue(sort, table);
    if (table == FilterTable::Telemetry)
        return {u"t.created_at"_s, true};
    const bool isJob = table == FilterTable::Jobs;
    const bool isLetter = table == FilterTable::Letters;
    const QString alias = isJob ? u"j."_s : isLetter ? u"l."_s : u"d."_s;
    switch (sort) {
    case SortField::Newest:
        return isLetter ? SortValue{u"l.no"_s, true} : SortValue{textColumn(idColumn(table)), false};
    case SortField::Due:
        return {isLetter ? u"l.dead_at_ms"_s : u"COALESCE(%1due_at_ms, 0)"_s.arg(alias), true};
    case SortField::Updated:
        if (isLetter)
            return {kind == ListKind::Bin ? u"l.changed_at_ms"_s : u"l.dead_at_ms"_s, true};
        return {isJob ? u"COALESCE(j.updated_at_ms, j.updated_at * 1000, 0)"_s
                      : u"COALESCE(d.updated_at_ms, d.created_at_ms, d.created_at * 1000, 0)"_s,
                true};
    case SortField::Type:
        return {textColumn(table == FilterTable::Deliveries ? u"d.event_type"_s : alias + u"type"_s), false};
    case SortField::Queue:
        return {isJob      ? textColumn(u"j.queue"_s)
                : isLetter ? textColumn(u"l.source_queue"_s)
                           : u"''"_s,
                false};
    case SortField::Attempts:
        return {u"COALESCE(%1attempts, 0)"_s.arg(alias), true};
    case SortField::Error:
        return {textColumn(alias + u"error"_s), false};
    case SortField::State:
        return {textColumn(isLetter ? u"l.kind"_s : alias + u"status"_s), false};
    case SortField::Endpoint:
        break;
    }
    return {isJob ? u"''"_s : textColumn(alias + u"endpoint_id"_s), false};
}

} // namespace redrive
