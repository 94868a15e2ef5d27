#include "core/db/table_adoption.h"

#include "core/db/migrator.h"
#include "core/db/sql_scanner.h"
#include "core/db/telemetry_table.h"

#include <optional>

namespace redrive {

namespace {

struct CreatedTable
{
    QString name;
    QString definition; // what stands after the name
};

struct Column
{
    QString name;
    QString type;
    bool notNull = false;
    QString fallback; // SQL text of the default; empty: none
    bool generated = false;
};

std::optional<CreatedTable> createdTable(const QString& statement)
{
    SqlScanner scanner(statement);
    if (!scanner.isWord(scanner.next(), u"CREATE") || !scanner.isWord(scanner.next(), u"TABLE"))
        return std::nullopt;
    SqlToken name = scanner.next();
    if (scanner.isWord(name, u"IF")) {
        scanner.next();
        scanner.next();
        name = scanner.next();
    }
    return CreatedTable{sqlName(scanner.textOf(name)).toLower(), statement.mid(name.end)};
}

bool isKnownToUsers(const QString& table)
{
    return table == u"jobs" || table == u"webhook_deliveries" || table == u"system_telemetry";
}

Result<QList<Column>> columnsOf(Connection& connection, const QString& table, const QString& schema)
{
    auto query = connection.dynamicQuery(
        u"SELECT name, type, \"notnull\", dflt_value, hidden FROM pragma_table_xinfo(?, ?)"_s);
    query.bind(table).bind(schema);
    QList<Column> columns;
    while (query.next())
        columns.append(
            {query.text(0), query.text(1), query.int64(2) != 0, query.text(3), query.int64(4) > 1});
    REDRIVE_TRY(query.status());
    return columns;
}

Result<bool> isStoreOfOurs(Connection& connection)
{
    auto query = connection.dynamicQuery(u"PRAGMA application_id"_s);
    const bool ours = query.next() && query.int64(0) == kApplicationId;
    REDRIVE_TRY(query.status());
    return ours;
}

bool has(const QList<Column>& columns, const QString& name)
{
    return std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
        return column.name.compare(name, Qt::CaseInsensitive) == 0;
    });
}

QString addition(const QString& table, const Column& column)
{
    QString sql = u"ALTER TABLE %1 ADD COLUMN %2 %3"_s.arg(quotedSqlName(table), quotedSqlName(column.name),
                                                           column.type);
    if (!column.fallback.isEmpty())
        sql += (column.notNull ? u" NOT NULL DEFAULT ("_s : u" DEFAULT ("_s) + column.fallback + u')';
    return sql;
}

// The columns as the database understands the definition.
Result<QList<Column>> wantedColumns(Connection& connection, const CreatedTable& created)
{
    const QString probe = u"redrive_probe"_s;
    REDRIVE_TRY(connection.execute(u"CREATE TABLE temp.redrive_probe "_s + created.definition));
    auto columns = columnsOf(connection, probe, u"temp"_s);
    REDRIVE_TRY(connection.execute(u"DROP TABLE temp.redrive_probe"_s));
    return columns;
}

} // namespace

Result<bool> adoptCreatedTable(Connection& connection, const QString& statement)
{
    const auto created = createdTable(statement);
    if (!created || !isKnownToUsers(created->name))
        return false;
    REDRIVE_ASSIGN(ours, isStoreOfOurs(connection));
    REDRIVE_ASSIGN(present, columnsOf(connection, created->name, u"main"_s));
    if (!ours || present.isEmpty())
        return false;
    if (created->name == u"system_telemetry") {
        REDRIVE_ASSIGN(unused, isUnusedTelemetryTable(connection));
        if (unused) { // the user's own comes with all its constraints
            REDRIVE_TRY(connection.execute(u"DROP TABLE system_telemetry"_s));
            return false;
        }
    }
    REDRIVE_ASSIGN(wanted, wantedColumns(connection, *created));
    for (const Column& column : wanted) {
        if (has(present, column.name))
            continue;
        if (column.generated)
            return false;
        REDRIVE_TRY(connection.execute(addition(created->name, column)));
    }
    return true;
}

} // namespace redrive
