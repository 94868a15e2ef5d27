#include "core/store/filter_columns.h"

namespace redrive {

const FilterColumns& filterColumns(FilterTable table)
{
    static const FilterColumns jobs{{u"j.id"_s},
                                    u"j.type"_s,
                                    u"j.queue"_s,
                                    {},
                                    u"j.error"_s,
                                    u"j.attempts"_s,
                                    u"COALESCE(j.created_at_ms, j.created_at * 1000)"_s,
                                    u"j.due_at_ms"_s,
                                    {},
                                    {},
                                    u"j.payload"_s};
    static const FilterColumns deliveries{{u"d.id"_s, u"d.job_id"_s, u"d.event_id"_s},
                                          u"d.event_type"_s,
                                          {},
                                          u"d.endpoint_id"_s,
                                          u"d.error"_s,
                                          u"d.attempts"_s,
                                          u"COALESCE(d.created_at_ms, d.created_at * 1000)"_s,
                                          u"d.due_at_ms"_s};
    static const FilterColumns letters{
        {u"l.subject_id"_s}, u"l.type"_s,     u"l.source_queue"_s, u"l.endpoint_id"_s,
        u"l.error"_s,        u"l.attempts"_s, u"l.dead_at_ms"_s,   {}};
    // Expressions, so that the index is always the one that the list is ordered by.
    static const FilterColumns telemetry{{u"t.id"_s},
                                         {},
                                         {},
                                         {},
                                         {},
                                         {},
                                         u"(t.created_at + 0)"_s,
                                         {},
                                         u"(t.tenant_id || '')"_s,
                                         u"(t.source || '')"_s,
                                         u"t.payload"_s,
                                         {},
                                         {u"t.payload"_s, u"(t.tenant_id || '')"_s, u"(t.source || '')"_s}};
    static const FilterColumns actions{{u"a.target"_s},
                                       u"a.verb"_s,
                                       {},
                                       {},
                                       u"a.result"_s,
                                       {},
                                       u"a.at_ms"_s,
                                       {},
                                       {},
                                       {},
                                       {},
                                       u"a.actor"_s,
                                       {u"a.actor"_s, u"a.reason"_s}};
    static const FilterColumns alerts{{u"t.title"_s},   u"t.kind"_s, {}, {}, u"t.title"_s, {},
                                      u"t.at_ms"_s,     {},          {}, {}, {},           {},
                                      {u"t.examples"_s}};
    switch (table) {
    case FilterTable::Jobs:
        return jobs;
    case FilterTable::Deliveries:
        return deliveries;
    case FilterTable::Telemetry:
        return telemetry;
    case FilterTable::Actions:
        return actions;
    case FilterTable::Alerts:
        return alerts;
    case FilterTable::Letters:
        break;
    }
    return letters;
}

} // namespace redrive
