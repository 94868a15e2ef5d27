#include "core/store/filter_sql.h"

#include "core/db/dialect.h"
#include "core/domain/delivery.h"
#include "core/domain/job.h"
#include "core/store/filter_columns.h"

#include <array>

namespace redrive {

namespace {

constexpr char16_t kNothing[] = u"1 = 0";

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
    Writer(FilterTable table, qint64 nowMs) : m_table(table), m_columns(filterColumns(table)), m_nowMs(nowMs)
    {
    }

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

    std::vector<std::variant<QString, qint64, double>> takeBinds() { return std::move(m_binds); }

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
        case FilterField::Tenant:
            return equals(m_columns.tenant, term);
        case FilterField::Source:
            return equals(m_columns.source, term);
        case FilterField::Payload:
            return payload(term);
        case FilterField::Since:
            return compare(m_columns.madeAtMs, FilterRelation::AtLeast, term.number);
        case FilterField::Until:
            return compare(m_columns.madeAtMs, FilterRelation::Below, term.number);
        case FilterField::Next:
            break;
        }
        return compare(m_columns.dueAtMs, term.relation, m_nowMs + term.number);
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
        if (column.isEmpty() || text.contains(QChar(0)))
            return QString::fromUtf16(kNothing); // a pattern would end there
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
        case FilterTable::Telemetry:
            return QString::fromUtf16(kNothing);
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

    // Numbers, true, false and null are found as they are written, texts by what they say.
    QString payload(const FilterTerm& term)
    {
        switch (m_table) {
        case FilterTable::Letters:
            return u"EXISTS (SELECT 1 FROM jobs p WHERE p.id = l.subject_id AND %1)"_s.arg(
                valueIn(u"p.payload"_s, term));
        case FilterTable::Deliveries:
            return u"EXISTS (SELECT 1 FROM jobs p WHERE p.id = d.job_id AND %1)"_s.arg(
                valueIn(u"p.payload"_s, term));
        default:
            return valueIn(m_columns.payload, term);
        }
    }

    QString valueIn(const QString& column, const FilterTerm& term)
    {
        if (column.isEmpty() || term.text.contains(QChar(0)))
            return QString::fromUtf16(kNothing);
        const QString path = jsonPath(term.path.split(u'.'));
        const QString json = u"{json:"_s + column + u'}';
        if (term.relation != FilterRelation::Is)
            return numberIn(json, path, term);
        if (term.anyStart || term.anyEnd) {
            bound(path);
            return u"%1 ->> ? LIKE "_s.arg(json) + bound(likePattern(term.text, term.anyStart, term.anyEnd)) +
                   u" ESCAPE '\\'"_s;
        }
        bound(path);
        bound(term.text);
        if (!isJsonLiteral(term.text))
            return json + u" ->> ? = ?"_s;
        bound(u'"' + term.text + u'"');
        return json + u" -> ? IN (?, ?)"_s;
    }

    // Of what JSON knows, numbers alone begin with a sign or a digit.
    QString numberIn(const QString& json, const QString& path, const FilterTerm& term)
    {
        bound(path);
        bound(path);
        bool isWhole = false;
        const qint64 whole = term.text.toLongLong(&isWhole);
        if (isWhole)
            m_binds.emplace_back(whole);
        else
            m_binds.emplace_back(term.text.toDouble());
        return u"(%1 -> ? BETWEEN '-' AND ':' AND %1 ->> ?%2)"_s.arg(json, signOf(term.relation));
    }

    // What stands in JSON as it is written, and may be meant as a text too.
    static bool isJsonLiteral(const QString& text)
    {
        bool isNumber = false;
        text.toDouble(&isNumber);
        return isNumber || text == u"true" || text == u"false" || text == u"null";
    }

    // The thing itself, or what was made of it.
    QString redrive(const FilterTerm& term)
    {
        if (m_table == FilterTable::Alerts || m_table == FilterTable::Telemetry)
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
        m_binds.emplace_back(number);
        return column + signOf(relation);
    }

    static QString signOf(FilterRelation relation)
    {
        static const std::array<QString, 5> signs{u" = ?"_s, u" < ?"_s, u" <= ?"_s, u" > ?"_s, u" >= ?"_s};
        return signs[std::size_t(relation)];
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
    const FilterColumns& m_columns;
    qint64 m_nowMs;
    std::vector<std::variant<QString, qint64, double>> m_binds;
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
