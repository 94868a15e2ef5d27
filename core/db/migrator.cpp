#include "core/db/migrator.h"

#include "core/db/held_data.h"
#include "core/db/sql_scanner.h"
#include "core/db/sql_splitter.h"
#include "core/db/store_check.h"
#include "core/db/store_copy.h"
#include "core/db/store_fault.h"
#include "core/db/telemetry_table.h"
#include "core/db/transaction.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <algorithm>

static void registerMigrations()
{
    Q_INIT_RESOURCE(migrations);
}

namespace redrive {

namespace {

Result<QSet<int>> appliedNumbers(Connection& connection)
{
    auto exists = connection.dynamicQuery(
        u"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'redrive_migrations'"_s);
    const bool hasLedger = exists.next() && exists.int64(0) > 0;
    REDRIVE_TRY(exists.status());
    QSet<int> numbers;
    if (!hasLedger)
        return numbers;
    auto ledger = connection.dynamicQuery(u"SELECT number FROM redrive_migrations"_s);
    while (ledger.next())
        numbers.insert(int(ledger.int64(0)));
    REDRIVE_TRY(ledger.status());
    return numbers;
}

int highest(const QSet<int>& numbers)
{
    int most = 0;
    for (const int number : numbers)
        most = std::max(most, number);
    return most;
}

bool allApplied(const QSet<int>& numbers)
{
    const QList<Migration> own = ownMigrations();
    return std::all_of(own.begin(), own.end(),
                       [&](const Migration& migration) { return numbers.contains(migration.number); });
}

Result<bool> hasColumn(Connection& connection, const AddedColumn& wanted)
{
    auto columns =
        connection.dynamicQuery(u"SELECT count(*) FROM pragma_table_xinfo(?) WHERE lower(name) = lower(?)"_s);
    columns.bind(wanted.table).bind(wanted.column);
    const bool found = columns.next() && columns.int64(0) > 0;
    REDRIVE_TRY(columns.status());
    return found;
}

Status applyStatement(Connection& connection, const QString& statement)
{
    if (const auto added = addedColumn(statement)) {
        REDRIVE_ASSIGN(exists, hasColumn(connection, *added));
        if (exists)
            return {};
    }
    return connection.execute(statement);
}

Status applyMigration(Connection& connection, const Migration& migration, qint64 nowMs)
{
    for (const SqlStatement& statement : splitSql(migration.sql)) {
        if (auto done = applyStatement(connection, statement.text); !done) {
            Error error = std::move(done.error());
            error.message = u"the store's migration %1 failed at line %2"_s.arg(
                migration.name, QString::number(statement.line));
            return fail(std::move(error));
        }
    }
    auto record = connection.dynamicQuery(
        u"INSERT INTO redrive_migrations (number, name, applied_at_ms) VALUES (?, ?, ?)"_s);
    REDRIVE_TRY(record.bind(migration.number).bind(migration.name).bind(nowMs).run());
    return {};
}

// Lists name rows by their row key, which a table WITHOUT ROWID does not have.
Status checkRowKeys(Connection& connection)
{
    for (const QString& table : {u"jobs"_s, u"webhook_deliveries"_s}) {
        auto probe = connection.dynamicQuery(u"SELECT rowid FROM "_s + table + u" LIMIT 0"_s);
        probe.next();
        if (auto status = probe.status(); !status)
            return fail(
                ErrorKind::InvalidInput,
                u"the table '%1' that exists already cannot be used (WITHOUT ROWID, or a view)"_s.arg(table),
                status.error().detail);
    }
    return {};
}

// A database that cannot be written opens all the same, and even begins a transaction; only a change is
// refused.
Status checkWritable(Connection& connection)
{
    auto probe = Transaction::begin(connection); // rolled back
    if (!probe)
        return probe.error().kind == ErrorKind::Busy ? Status() : fail(std::move(probe.error()));
    auto version = connection.dynamicQuery(u"PRAGMA user_version"_s);
    const qint64 schema = version.next() ? version.int64(0) : 0;
    REDRIVE_TRY(version.status());
    return connection.execute(u"PRAGMA user_version=%1"_s.arg(schema));
}

Result<bool> holdsData(Connection& connection)
{
    auto tables = connection.dynamicQuery(u"SELECT count(*) FROM sqlite_master WHERE type = 'table'"_s);
    const bool holds = tables.next() && tables.int64(0) > 0;
    REDRIVE_TRY(tables.status());
    return holds;
}

Status backUp(Connection& connection, int schema, qint64 nowMs)
{
    const QString path = nameBeside(connection.target(), u"backup-%1"_s.arg(schema), nowMs);
    auto written = writeCopy(connection, path);
    if (!written)
        written.error().message = u"no backup could be written to '%1' before the migration"_s.arg(path);
    return written;
}

Status applyPending(Connection& connection, qint64 nowMs)
{
    REDRIVE_ASSIGN(transaction, Transaction::begin(connection));
    REDRIVE_TRY(
        connection.execute(u"CREATE TABLE IF NOT EXISTS redrive_migrations (number INTEGER PRIMARY KEY "
                           "NOT NULL, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT"_s));
    REDRIVE_ASSIGN(applied, appliedNumbers(connection)); // another process may have been faster
    for (const Migration& migration : ownMigrations()) {
        if (!applied.contains(migration.number))
            REDRIVE_TRY(applyMigration(connection, migration, nowMs));
    }
    REDRIVE_TRY(checkRowKeys(connection));
    REDRIVE_TRY(ensureTelemetryTable(connection));
    REDRIVE_TRY(connection.execute(u"PRAGMA application_id=%1"_s.arg(kApplicationId)));
    REDRIVE_TRY(
        connection.execute(u"PRAGMA user_version=%1"_s.arg(std::max(highest(applied), knownSchema()))));
    return transaction.commit();
}

} // namespace

QList<Migration> ownMigrations()
{
    registerMigrations();
    QList<Migration> migrations;
    const QDir folder(u":/migrations/sqlite"_s);
    for (const QString& name : folder.entryList({u"*.sql"_s}, QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::ReadOnly))
            migrations.append({name.section(u'_', 0, 0).toInt(), name, QString::fromUtf8(file.readAll())});
    }
    return migrations;
}

int knownSchema()
{
    const QList<Migration> migrations = ownMigrations();
    return migrations.isEmpty() ? 0 : migrations.last().number;
}

Status migrateStore(Connection& connection, qint64 nowMs)
{
    connection.forgetStatements();
    REDRIVE_ASSIGN(applied, appliedNumbers(connection));
    if (!allApplied(applied)) {
        REDRIVE_ASSIGN(holds, holdsData(connection));
        if (holds)
            REDRIVE_TRY(backUp(connection, highest(applied), nowMs));
        REDRIVE_TRY(applyPending(connection, nowMs));
        connection.forgetStatements();
    }
    REDRIVE_TRY(ensureTelemetryTable(connection));
    return noteHeldData(connection, nowMs);
}

Result<std::unique_ptr<Connection>> openChecked(const DatabaseTarget& target, Access access)
{
    REDRIVE_ASSIGN(state, checkStore(target, knownSchema()));
    if (access == Access::Reader && state.origin == StoreOrigin::Nothing)
        return fail(ErrorKind::NotFound,
                    u"there is no database '%1' yet"_s.arg(QFileInfo(target.path).fileName()));
    auto connection = Connection::open(target, access);
    if (!connection)
        return fail(describeFailure(target, connection.error()));
    if (access == Access::Writer) {
        if (auto writable = checkWritable(**connection); !writable)
            return fail(describeFailure(target, writable.error()));
    }
    return connection;
}

Result<std::unique_ptr<Connection>> openStore(const DatabaseTarget& target, Access access, qint64 nowMs)
{
    REDRIVE_ASSIGN(connection, openChecked(target, access));
    if (access == Access::Writer) {
        if (auto migrated = migrateStore(*connection, nowMs); !migrated)
            return fail(describeFailure(target, migrated.error()));
        return connection;
    }
    REDRIVE_ASSIGN(applied, appliedNumbers(*connection));
    if (!allApplied(applied))
        return fail(
            ErrorKind::Refused,
            u"'%1' is not yet at the schema of this version (schema %2, this version needs %3): start "
            u"the engine or run 'redrive migrate' first"_s.arg(QFileInfo(target.path).fileName(),
                                                               QString::number(highest(applied)),
                                                               QString::number(knownSchema())));
    return connection;
}

} // namespace redrive
