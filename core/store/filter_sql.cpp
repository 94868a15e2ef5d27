#include "core/store/filter_sql.h"

#include "core/domain/delivery.h"
#include "core/domain/job.h"

#include <array>

namespace redrive {

namespace {

constexpr char16_t kNothing[] = u"1 = 0";

// What a term stands for in one table. Empty: the table has no such thing.
struct Columns
{
    QStringList ids; // the first is the row's own
    QString type;
    QString queue;
    QString endpoint;
    QString error;
    QString attempts;
    QString madeAtMs;
    QString dueAtMs;
    QString actor = {};
    QStringList words = {}; // what else bare words are looked for in
};

const Columns& columnsOf(FilterTable table)
{
    static const Columns jobs{{u"j.id"_s},
                              u"j.type"_s,
                              u"j.queue"_s,
                              {},
                              u"j.error"_s,
                              u"j.attempts"_s,
                              u"COALESCE(j.created_at_ms, j.created_at * 1000)"_s,
                              u"j.due_at_ms"_s};
    static const Columns deliveries{{u"d.id"_s, u"d.job_id"_s, u"d.event_id"_s},
                                    u"d.event_type"_s,
                                    {},
                                    u"d.endpoint_id"_s,
                                    u"d.error"_s,
                                    u"d.attempts"_s,
                                    u"COALESCE(d.created_at_ms, d.created_at * 1000)"_s,
                                    u"d.due_at_ms"_s};
    static const Columns letters{
        {u"l.subject_id"_s}, u"l.type"_s,     u"l.source_queue"_s, u"l.endpoint_id"_s,
        u"l.error"_s,        u"l.attempts"_s, u"l.dead_at_ms"_s,   {}};
    static const Columns actions{{u"a.target"_s},
                                 u"a.verb"_s,
                                 {},
                                 {},
                                 u"a.result"_s,
                                 {},
                                 u"a.at_ms"_s,
                                 {},
                                 u"a.actor"_s,
                                 {u"a.actor"_s, u"a.reason"_s}};
    static const Columns alerts{{u"t.title"_s},   u"t.kind"_s, {}, {}, u"t.title"_s, {}, u"t.at_ms"_s, {}, {},
                                {u"t.examples"_s}};
    switch (table) {
    case FilterTable::Jobs:
        return jobs;
    case FilterTable::Deliveries:
        return deliveries;
    case FilterTable::Actions:
        return actions;
    case FilterTable::Alerts:
        return alerts;
    case FilterTable::Letters:
        break;
    }
    return letters;
}

QString likePattern(const QString& text, bool anyStart, bool anyEnd)
{
    QString pattern;
    for (const QChar c : text) {
        if (c == u'\\' || c == u'%' || c == u'_')
            pattern += u'\\';
        pattern += c;
    }
    return (anyStart ? u"%"_s : QString()) + pattern + (anyEnd ? u"%"_s : QString());
}

// Halves rather than a chain, because the database limits how deep an expression may be.
QString joinBalanced(const QStringList& parts, qsizetype from, qsizetype to, const QString& word)
{
    if (to - from == 1)
        return parts[from];
    const qsizetype middle = from + (to - from) / 2;
    return u'(' + joinBalanced(parts, from, middle, word) + word + joinBalanced(parts, middle, to, word) +
           u')';
}

class Writer final
{
public:
    Writer(FilterTable table, qint64 nowMs) : m_table(table), m_columns(columnsOf(table)), m_nowMs(nowMs) {}

    QString node(const FilterNode& node)
    {
        switch (node.kind) {
        case FilterNode::All:
            return u"1 = 1"_s;
        case FilterNode::Term:
            return term(node.term);
        case FilterNode::Not:
            // What is unknown of a row (NULL) does not match, so its opposite does.
            return u"(COALESCE("_s + this->node(node.parts.front()) + u", 1 = 0) = (1 = 0))"_s;
        case FilterNode::And:
        case FilterNode::Or:
            break;
        }
        QStringList parts;
        for (const FilterNode& part : node.parts)
            parts.append(this->node(part));
        return joinBalanced(parts, 0, parts.size(), node.kind == FilterNode::And ? u" AND "_s : u" OR "_s);
    }

    std::vector<std::variant<QString, qint64>> takeBinds() { return std::move(m_binds); }

private:
    QString term(const FilterTerm& term)
    {
        switch (term.field) {
        case FilterField::Words:
            return words(term.text);
        case FilterField::State:
            return state(term.text);
        case FilterField::Type:
            return equals(m_columns.type, term);
        case FilterField::Queue:
            return m_table == FilterTable::Deliveries ? queueOfDelivery(term) : equals(m_columns.queue, term);
        case FilterField::Endpoint:
            return m_table == FilterTable::Jobs ? endpointOfJob(term) : equals(m_columns.endpoint, term);
        case FilterField::Error:
            return contains(m_columns.error, term.text);
        case FilterField::Id:
            return anyOf([&](const QString& column) { return equals(column, term); });
        case FilterField::Attempt:
            return compare(m_columns.attempts, term.relation, term.number);
        case FilterField::Age:
            return compare(m_columns.madeAtMs, mirrored(term.relation), m_nowMs - term.number);
        case FilterField::Redrive:
            return redrive(term);
        case FilterField::Actor:
            return equals(m_columns.actor, term);
        case FilterField::Kind:
            return kind(term);
        case FilterField::Next:
            break;
        }
        return m_columns.dueAtMs.isEmpty() ? QString::fromUtf16(kNothing)
                                           : compare(m_columns.dueAtMs, term.relation, m_nowMs + term.number);
    }

    QString words(const QString& text)
    {
        const QString ids = anyOf([&](const QString& column) { return contains(column, text); });
        QStringList parts{ids, contains(m_columns.type, text), contains(m_columns.error, text)};
        for (const QString& column : m_columns.words)
            parts.append(contains(column, text));
        return u'(' + parts.join(u" OR ") + u')';
    }

    template <typename Condition>
    QString anyOf(Condition condition)
    {
        QStringList parts;
        for (const QString& column : m_columns.ids)
            parts.append(condition(column));
        return parts.size() == 1 ? parts.first() : u'(' + parts.join(u" OR ") + u')';
    }

    QString bound(const QString& text)
    {
        m_binds.emplace_back(text);
        return u"?"_s;
    }

    QString contains(const QString& column, const QString& text)
    {
        if (column.isEmpty() || text.contains(QChar(0))) // a pattern would end there
            return QString::fromUtf16(kNothing);
        return column + u" LIKE "_s + bound(likePattern(text, true, true)) + u" ESCAPE '\\'"_s;
    }

    QString equals(const QString& column, const FilterTerm& term)
    {
        if (column.isEmpty())
            return QString::fromUtf16(kNothing);
        if (!term.anyStart && !term.anyEnd)
            return column + u" = "_s + bound(term.text);
        if (term.text.contains(QChar(0)))
            return QString::fromUtf16(kNothing);
        return column + u" LIKE "_s + bound(likePattern(term.text, term.anyStart, term.anyEnd)) +
               u" ESCAPE '\\'"_s;
    }

    QString state(const QString& text)
    {
        switch (m_table) {
        case FilterTable::Letters:
            return letterState(text.toLower());
        case FilterTable::Actions:
            return QString::fromUtf16(kNothing);
        case FilterTable::Alerts:
            return alertState(text.toLower());
        default:
            return status(text);
        }
    }

    // As ActivityRow::state() says.
    static QString alertState(const QString& text)
    {
        const auto has = [](const QString& condition) {
            return u"EXISTS (SELECT 1 FROM alert_posts p WHERE p.alert_no = t.no%1)"_s.arg(condition);
        };
        const QString failed = has(u" AND p.state = 'failed'"_s);
        const QString waits = has(u" AND p.state IN ('waiting', 'sending')"_s);
        if (text == u"failed")
            return failed;
        if (text == u"waiting" || text == u"retrying")
            return u"(NOT %1 AND %2)"_s.arg(failed, text == u"waiting"
                                                        ? waits
                                                        : has(u" AND p.state IN ('waiting', 'sending') "
                                                              u"AND p.error IS NOT NULL"_s));
        if (text == u"sent")
            return u"(NOT %1 AND NOT %2 AND %3)"_s.arg(failed, waits, has({}));
        return text == u"shown" ? u"NOT %1"_s.arg(has({})) : QString::fromUtf16(kNothing);
    }

    QString kind(const FilterTerm& term)
    {
        if (m_table == FilterTable::Letters)
            return equals(u"l.kind"_s, term);
        const QString own = m_table == FilterTable::Actions  ? u"action"_s
                            : m_table == FilterTable::Alerts ? u"alert"_s
                                                             : QString();
        const bool is = !own.isEmpty() && term.text.compare(own, Qt::CaseInsensitive) == 0;
        return is ? u"1 = 1"_s : QString::fromUtf16(kNothing);
    }

    // Known words stand in the statement, so that the indexes over open and dead rows serve it.
    QString status(const QString& text)
    {
        const QString column = m_table == FilterTable::Jobs ? u"j.status"_s : u"d.status"_s;
        const QString known = knownStatus(text.toLower());
        return column + u" = "_s + (known.isEmpty() ? bound(text) : u'\'' + known + u'\'');
    }

    QString knownStatus(const QString& text) const
    {
        if (m_table == FilterTable::Jobs) {
            const auto status = jobStatusFrom(text);
            return status ? toText(*status) : QString();
        }
        const auto status = deliveryStatusFrom(text);
        return status ? toText(*status) : QString();
    }

    static QString letterState(const QString& text)
    {
        if (text == u"dead" || text == u"open")
            return u"l.state = 'open'"_s;
        if (text == u"requeued")
            return u"l.state = 'requeued'"_s;
        return text == u"discarded" ? u"l.state = 'discarded'"_s : QString::fromUtf16(kNothing);
    }

    // The thing itself, or what was made of it.
    QString redrive(const FilterTerm& term)
    {
        if (m_table == FilterTable::Alerts)
            return QString::fromUtf16(kNothing);
        if (m_table == FilterTable::Actions) {
            m_binds.emplace_back(term.number);
            return u"a.redrive_no = ?"_s;
        }
        m_binds.emplace_back(term.number);
        return u"%1 IN (SELECT COALESCE(acted_id, item_id) FROM redrive_items WHERE redrive_no = ?%2)"_s.arg(
            m_columns.ids.first(), outcomeCondition(term.text));
    }

    static QString outcomeCondition(const QString& outcome)
    {
        if (outcome == u"queued")
            return u" AND result IS NULL"_s;
        if (outcome == u"refused")
            return u" AND result = 'refused'"_s;
        if (outcome == u"waiting")
            return u" AND outcome = 'waiting'"_s;
        if (outcome == u"succeeded")
            return u" AND outcome = 'succeeded'"_s;
        if (outcome == u"failed")
            return u" AND outcome IN ('failed', 'failed_anew')"_s;
        return outcome == u"gone" ? u" AND outcome = 'gone'"_s : QString();
    }

    QString queueOfDelivery(const FilterTerm& term)
    {
        return u"EXISTS (SELECT 1 FROM jobs q WHERE q.id = d.job_id AND %1)"_s.arg(
            equals(u"q.queue"_s, term));
    }

    QString endpointOfJob(const FilterTerm& term)
    {
        return u"EXISTS (SELECT 1 FROM webhook_events e JOIN webhook_deliveries x ON x.event_id = e.id "
               u"WHERE e.job_id = j.id AND x.event_id IS NOT NULL AND %1)"_s.arg(
                   equals(u"x.endpoint_id"_s, term));
    }

    QString compare(const QString& column, FilterRelation relation, qint64 number)
    {
        if (column.isEmpty())
            return QString::fromUtf16(kNothing);
        static const std::array<QString, 5> signs{u" = ?"_s, u" < ?"_s, u" <= ?"_s, u" > ?"_s, u" >= ?"_s};
        m_binds.emplace_back(number);
        return column + signs[std::size_t(relation)];
    }

    // Older than an hour means made before that time.
    static FilterRelation mirrored(FilterRelation relation)
    {
        switch (relation) {
        case FilterRelation::Below:
            return FilterRelation::Above;
        case FilterRelation::AtMost:
            return FilterRelation::AtLeast;
        case FilterRelation::Above:
            return FilterRelation::Below;
        case FilterRelation::AtLeast:
            return FilterRelation::AtMost;
        case FilterRelation::Is:
            break;
        }
        return relation;
    }

    FilterTable m_table;
    const Columns& m_columns;
    qint64 m_nowMs;
    std::vector<std::variant<QString, qint64>> m_binds;
};

} // namespace

void FilterSql::bindTo(Query& query) const
{
    for (const auto& value : binds)
        std::visit([&query](const auto& bound) { query.bind(bound); }, value);
}

FilterSql filterSql(const FilterNode& root, FilterTable table, qint64 nowMs)
{
    if (root.kind == FilterNode::All)
        return {};
    Writer writer(table, nowMs);
    FilterSql sql;
    sql.where = writer.node(root);
    sql.binds = writer.takeBinds();
    return sql;
}

} // namespace redrive
