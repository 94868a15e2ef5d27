#include "core/db/telemetry_table.h"

#include "core/base/log.h"
#include "core/db/telemetry_rules.h"
#include "core/db/transaction.h"

#include <QStringList>

namespace redrive {

namespace {

struct Object
{
    QString type; // as the schema names it
    QString name;
    QString sql;
};

// Rows that come in are counted by those who write them, a batch at a time: a trigger would double the cost
// of each. Counts the table, so that its row in telemetry_size is right from now on.
// kept: the user's own rows, those that retention leaves alone.
constexpr char16_t kCount[] =
    u"UPDATE telemetry_size SET (row_count, bytes, kept_rows, kept_bytes) = (SELECT count(*), "
    "COALESCE(sum(b), 0), COALESCE(sum(kept), 0), COALESCE(sum(b * kept), 0) FROM (SELECT "
    "COALESCE(length(CAST(payload AS BLOB)), 0) AS b, "
    "NOT (typeof(created_at) = 'integer' AND created_at > kept_until) AS kept FROM system_telemetry))";

const QList<Object>& countingTriggers()
{
    static const QString isKept =
        u"NOT (typeof(OLD.created_at) = 'integer' AND OLD.created_at > kept_until)"_s;
    static const QString oldBytes = u"COALESCE(length(CAST(OLD.payload AS BLOB)), 0)"_s;
    static const QString newBytes = u"COALESCE(length(CAST(NEW.payload AS BLOB)), 0)"_s;
    static const QList<Object> all{
        {u"trigger"_s, u"telemetry_leave"_s,
         u"CREATE TRIGGER telemetry_leave AFTER DELETE ON system_telemetry BEGIN UPDATE telemetry_size SET "
         "row_count = row_count - 1, bytes = bytes - %1, kept_rows = kept_rows - (%2), "
         "kept_bytes = kept_bytes - %1 * (%2) WHERE only = 1; END"_s.arg(oldBytes, isKept)},
        {u"trigger"_s, u"telemetry_change"_s,
         u"CREATE TRIGGER telemetry_change AFTER UPDATE OF payload ON system_telemetry BEGIN UPDATE "
         "telemetry_size SET bytes = bytes - %1 + %3, kept_bytes = kept_bytes + (%3 - %1) * (%2) "
         "WHERE only = 1; END"_s.arg(oldBytes, isKept, newBytes)},
    };
    return all;
}

struct WantedIndex
{
    QString name;
    QString sql;
    QString columns; // as columnsOfIndexes() tells them
};

const QList<WantedIndex>& wantedIndexes()
{
    static const QList<WantedIndex> all{
        {u"system_telemetry_tenant"_s,
         u"CREATE INDEX system_telemetry_tenant ON system_telemetry (tenant_id, created_at DESC)"_s,
         u"tenant_id,created_at DESC"_s},
        {u"system_telemetry_source"_s,
         u"CREATE INDEX system_telemetry_source ON system_telemetry (source, created_at DESC)"_s,
         u"source,created_at DESC"_s},
    };
    return all;
}

Result<QList<Object>> objectsOfTable(Connection& connection)
{
    auto query = connection.dynamicQuery(
        u"SELECT type, lower(name), COALESCE(sql, '') FROM sqlite_master WHERE lower(tbl_name) = 'system_telemetry'"_s);
    QList<Object> objects;
    while (query.next())
        objects.append({query.text(0), query.text(1), query.text(2)});
    REDRIVE_TRY(query.status());
    return objects;
}

bool has(const QList<Object>& objects, const QString& name)
{
    return std::any_of(objects.begin(), objects.end(),
                       [&](const Object& object) { return object.name == name; });
}

Result<bool> isStrict(Connection& connection)
{
    auto query = connection.dynamicQuery(
        u"SELECT strict FROM pragma_table_list WHERE schema = 'main' AND lower(name) = 'system_telemetry'"_s);
    const bool strict = query.next() && query.int64(0) != 0;
    REDRIVE_TRY(query.status());
    return strict;
}

// Whether the table itself refuses everything that it is to refuse.
Result<bool> carriesRules(Connection& connection, const QList<Object>& objects)
{
    REDRIVE_ASSIGN(strict, isStrict(connection));
    if (!strict)
        return false;
    const auto table = std::find_if(objects.begin(), objects.end(),
                                    [](const Object& object) { return object.type == u"table"; });
    if (table == objects.end())
        return false;
    return carriesTelemetryRules(table->sql);
}

struct IndexFacts
{
    QString name;
    QString columns; // "source,created_at DESC"
    bool unique = false;
    bool partial = false;
};

Result<QList<IndexFacts>> indexes(Connection& connection)
{
    auto query = connection.dynamicQuery(
        u"SELECT lower(i.name), i.\"unique\", i.partial, COALESCE(lower(c.name), '(expression)'), "
        u"c.\"desc\", "
        "upper(c.coll) FROM pragma_index_list('system_telemetry') i JOIN pragma_index_xinfo(i.name) c "
        "WHERE c.key = 1 ORDER BY i.seq, c.seqno"_s);
    QList<IndexFacts> found;
    while (query.next()) {
        if (found.isEmpty() || found.last().name != query.text(0))
            found.append({query.text(0), {}, query.int64(1) != 0, query.int64(2) != 0});
        QString& columns = found.last().columns;
        columns += (columns.isEmpty() ? u""_s : u","_s) + query.text(3) +
                   (query.int64(4) != 0 ? u" DESC"_s : u""_s) +
                   (query.text(5) == u"BINARY" ? u""_s : u" COLLATE "_s + query.text(5));
    }
    REDRIVE_TRY(query.status());
    return found;
}

Status takeUnlike(const char* what, Error error)
{
    return fail(
        ErrorKind::InvalidInput,
        u"the table 'system_telemetry' that exists already cannot be used (%1)"_s.arg(QLatin1String(what)),
        error.detail);
}

// Whether nobody else has added rows.
Result<bool> countIsRight(Connection& connection)
{
    auto query = connection.dynamicQuery(
        u"SELECT (SELECT count(*) FROM system_telemetry) = row_count AND kept_bytes IS NOT NULL FROM telemetry_size"_s);
    const bool right = query.next() && query.int64(0) != 0;
    REDRIVE_TRY(query.status());
    return right;
}

// What is missing, as statements.
Result<QStringList> missing(Connection& connection)
{
    REDRIVE_ASSIGN(objects, objectsOfTable(connection));
    REDRIVE_ASSIGN(present, indexes(connection));
    QStringList statements;
    const auto isThere = [&](const QString& columns, const auto& fits) {
        return std::any_of(present.begin(), present.end(), [&](const IndexFacts& index) {
            return index.columns == columns && !index.partial && fits(index);
        });
    };
    for (const WantedIndex& wanted : wantedIndexes()) {
        const bool own = has(objects, wanted.name);
        const bool theirs =
            isThere(wanted.columns, [&](const IndexFacts& index) { return index.name != wanted.name; });
        if (own && theirs)
            statements.append(u"DROP INDEX "_s + wanted.name);
        else if (!own && !theirs)
            statements.append(wanted.sql);
    }
    if (!isThere(u"id"_s, [](const IndexFacts& index) { return index.unique; }))
        statements.append(u"CREATE UNIQUE INDEX system_telemetry_id ON system_telemetry (id)"_s);
    REDRIVE_ASSIGN(carries, carriesRules(connection, objects));
    const QString trigger = u"telemetry_rules"_s;
    if (carries == has(objects, trigger))
        statements.append(carries ? u"DROP TRIGGER "_s + trigger : telemetryRulesTrigger());
    bool counted = true;
    for (const Object& wanted : countingTriggers())
        if (!has(objects, wanted.name)) {
            statements.append(wanted.sql);
            counted = false;
        }
    if (counted) {
        REDRIVE_ASSIGN(right, countIsRight(connection));
        counted = right;
    }
    if (!counted)
        statements.append(QString::fromUtf16(kCount));
    return statements;
}

Status probe(Connection& connection)
{
    auto columns = connection.dynamicQuery(
        u"SELECT rowid, id, source, tenant_id, payload, created_at FROM system_telemetry LIMIT 0"_s);
    columns.next();
    if (auto status = columns.status(); !status)
        return takeUnlike("WITHOUT ROWID, a view, or a column is missing", std::move(status.error()));
    return {};
}

Status apply(Connection& connection, const QStringList& statements)
{
    for (const QString& statement : statements)
        if (auto done = connection.execute(statement); !done) {
            if (done.error().kind == ErrorKind::Constraint)
                return takeUnlike("two rows have the same id", std::move(done.error()));
            return done;
        }
    return {};
}

struct TablesThere
{
    bool rows = false; // system_telemetry, or a view of that name
    bool size = false; // telemetry_size, so the store's own migrations have run
};

Result<TablesThere> tablesThere(Connection& connection)
{
    auto query = connection.dynamicQuery(
        u"SELECT lower(name) FROM sqlite_master WHERE lower(name) IN ('system_telemetry', 'telemetry_size')"_s);
    TablesThere there;
    while (query.next())
        (query.text(0) == u"telemetry_size" ? there.size : there.rows) = true;
    REDRIVE_TRY(query.status());
    return there;
}

// All of it, or in an open transaction a part of that.
template <typename Work>
Status inTransaction(Connection& connection, Work work)
{
    if (connection.inTransaction())
        return work();
    connection.forgetStatements();
    REDRIVE_ASSIGN(transaction, Transaction::begin(connection));
    REDRIVE_TRY(work());
    REDRIVE_TRY(transaction.commit());
    connection.forgetStatements();
    return {};
}

// Another process may have been faster.
Status makeTable(Connection& connection)
{
    REDRIVE_ASSIGN(missingStill, telemetryTableIsMissing(connection));
    if (!missingStill)
        return {};
    logEvent(LogLevel::Warning, "telemetry_table_made_anew");
    return connection.execute(telemetryTableSql());
}

} // namespace

Result<bool> refusedRowsLeaveTraces(Connection& connection)
{
    REDRIVE_ASSIGN(objects, objectsOfTable(connection));
    return std::any_of(objects.begin(), objects.end(), [](const Object& object) {
        if (object.type == u"trigger")
            return !object.name.startsWith(u"telemetry_");
        return object.type == u"table" && object.sql.contains(u"ON CONFLICT"_s, Qt::CaseInsensitive);
    });
}

Result<bool> isUnusedTelemetryTable(Connection& connection)
{
    REDRIVE_ASSIGN(there, tablesThere(connection));
    if (!there.rows || !there.size)
        return false;
    REDRIVE_ASSIGN(objects, objectsOfTable(connection));
    REDRIVE_ASSIGN(ours, carriesRules(connection, objects));
    if (!ours)
        return false;
    auto query = connection.dynamicQuery(u"SELECT 1 FROM system_telemetry LIMIT 1"_s);
    const bool unused = !query.next();
    REDRIVE_TRY(query.status());
    return unused;
}

Result<bool> telemetryTableIsMissing(Connection& connection)
{
    REDRIVE_ASSIGN(there, tablesThere(connection));
    return there.size && !there.rows;
}

Status ensureTelemetryTable(Connection& connection)
{
    REDRIVE_ASSIGN(there, tablesThere(connection));
    if (!there.size)
        return {};
    if (!there.rows)
        REDRIVE_TRY(inTransaction(connection, [&] { return makeTable(connection); }));
    REDRIVE_TRY(probe(connection));
    REDRIVE_ASSIGN(seen, missing(connection));
    if (seen.isEmpty())
        return {};
    return inTransaction(connection, [&]() -> Status {
        REDRIVE_ASSIGN(statements, missing(connection)); // another process may have been faster
        return apply(connection, statements);
    });
}

} // namespace redrive
