#include "core/db/telemetry_rules.h"

#include "core/base/result.h"

#include <QStringList>

#include <algorithm>

namespace redrive {

namespace {

struct ColumnRule
{
    QString column;
    QString type;
    QStringList checks;
};

// As the migration has them.
const QList<ColumnRule>& rules()
{
    static const QList<ColumnRule> all{
        {u"id"_s, u"TEXT"_s, {}},
        {u"source"_s, u"TEXT"_s, {u"source IN ('audit', 'metric')"_s}},
        {u"tenant_id"_s, u"TEXT"_s, {u"length(tenant_id) BETWEEN 1 AND 512"_s}},
        {u"payload"_s, u"TEXT"_s, {u"json_valid(payload)"_s, u"length(payload) <= 128000"_s}},
        {u"created_at"_s, u"INTEGER"_s, {u"created_at >= 0"_s}},
    };
    return all;
}

// Its column as the table has it, simplified.
QString columnSql(const ColumnRule& rule)
{
    QString sql = rule.column + u' ' + rule.type;
    sql += rule.column == u"id" ? u" PRIMARY KEY NOT NULL"_s : u" NOT NULL"_s;
    for (const QString& check : rule.checks)
        sql += u" CHECK ("_s + check + u')';
    return sql;
}

QString inQuotes(QString text)
{
    return u'\'' + text.replace(u'\'', u"''"_s) + u'\'';
}

QString refusal(const QString& condition, const QString& words)
{
    return u"  WHEN %1 THEN RAISE(ABORT, %2)\n"_s.arg(condition, inQuotes(words));
}

QString refusals(const ColumnRule& rule)
{
    const QString value = u"NEW."_s + rule.column;
    QString cases =
        refusal(value + u" IS NULL"_s, u"NOT NULL constraint failed: system_telemetry."_s + rule.column);
    for (const QString& type : {u"TEXT"_s, u"INTEGER"_s, u"REAL"_s, u"BLOB"_s})
        if (type != rule.type)
            cases += refusal(u"typeof(%1) = '%2'"_s.arg(value, type.toLower()),
                             u"cannot store %1 value in %2 column system_telemetry.%3"_s.arg(type, rule.type,
                                                                                             rule.column));
    for (QString check : rule.checks) {
        const QString words = u"CHECK constraint failed: "_s + check;
        cases += refusal(u"NOT (%1)"_s.arg(check.replace(rule.column, value)), words);
    }
    return cases;
}

} // namespace

QString telemetryTableSql()
{
    QStringList columns;
    for (const ColumnRule& rule : rules())
        columns.append(columnSql(rule));
    return u"CREATE TABLE system_telemetry (%1) STRICT"_s.arg(columns.join(u", "_s));
}

QString telemetryRulesTrigger()
{
    QString cases;
    for (const ColumnRule& rule : rules())
        cases += refusals(rule);
    return u"CREATE TRIGGER telemetry_rules BEFORE INSERT ON system_telemetry BEGIN SELECT CASE\n%1END; END"_s
        .arg(cases);
}

bool carriesTelemetryRules(const QString& tableSql)
{
    const QString sql = tableSql.simplified();
    return std::all_of(rules().begin(), rules().end(),
                       [&](const ColumnRule& rule) { return sql.contains(columnSql(rule)); });
}

} // namespace redrive
