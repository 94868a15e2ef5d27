#include "core/db/user_migrations.h"

#include "core/db/migration_order.h"
#include "core/db/sql_scanner.h"
#include "core/db/sql_splitter.h"
#include "core/db/table_adoption.h"
#include "core/db/telemetry_table.h"
#include "core/db/transaction.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QStringDecoder>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kMaxShownStatement = 80; // characters of a statement in an error

QStringList filesBelow(const QString& folder)
{
    const QDir dir(folder);
    QStringList files;
    QDirIterator walk(folder, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext())
        files.append(dir.relativeFilePath(walk.next()));
    return files;
}

QRegularExpression patternOf(const UserMigrations& migrations)
{
    return migrationPattern(
        migrations.pattern.isEmpty() ? u"*.sql"_s : patternInside(migrations.folder, migrations.pattern));
}

Result<QString> readScript(const UserMigrations& migrations, const QString& name)
{
    QFile file(QDir(migrations.folder).filePath(name));
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorKind::InvalidInput, u"%1 cannot be read"_s.arg(name), file.errorString());
    QStringDecoder decoder(QStringDecoder::Utf8); // drops a byte order mark
    const QString script = decoder(file.readAll());
    if (decoder.hasError())
        return fail(ErrorKind::InvalidInput, u"%1 is not UTF-8 text"_s.arg(name));
    if (script.contains(QChar(0)))
        return fail(ErrorKind::InvalidInput, u"%1 contains a NUL character"_s.arg(name));
    return script;
}

QString where(const QList<SqlStatement>& statements, qsizetype index)
{
    QString shown = statements[index].text.simplified();
    if (shown.size() > kMaxShownStatement)
        shown = shown.left(kMaxShownStatement) + u'…';
    return u"statement %1 (line %2: %3)"_s.arg(QString::number(index + 1),
                                               QString::number(statements[index].line), shown);
}

// One surrounding BEGIN … COMMIT is left out, because each file runs in a transaction anyway.
Result<QList<SqlStatement>> withoutTransaction(const QString& name, const QList<SqlStatement>& statements)
{
    QList<SqlStatement> kept;
    int begins = 0;
    int commits = 0;
    for (qsizetype i = 0; i < statements.size(); ++i) {
        const TransactionWord word = transactionWord(statements[i].text);
        if (word == TransactionWord::None) {
            kept.append(statements[i]);
            continue;
        }
        begins += word == TransactionWord::Begin;
        commits += word == TransactionWord::Commit;
        if (word == TransactionWord::Rollback || begins > 1 || commits > begins)
            return fail(
                ErrorKind::InvalidInput,
                u"%1 has %2 at %3: the file runs in one transaction anyway. Remove every BEGIN, COMMIT "
                u"and ROLLBACK from it"_s.arg(name,
                                              begins > 1 ? u"a second transaction"_s
                                              : word == TransactionWord::Rollback
                                                  ? u"a ROLLBACK"_s
                                                  : u"a COMMIT without its BEGIN"_s,
                                              where(statements, i)));
    }
    if (begins != commits)
        return fail(ErrorKind::InvalidInput,
                    u"%1 has a BEGIN without its COMMIT: the file runs in one transaction anyway. Remove the "
                    u"BEGIN"_s.arg(name));
    return kept;
}

Status createLedger(Connection& connection, const UserMigrations& migrations)
{
    return connection.execute(
        u"CREATE TABLE IF NOT EXISTS %1 (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT "
        u"UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)"_s.arg(
            quotedSqlName(migrations.table)));
}

Status record(Connection& connection, const UserMigrations& migrations, const QString& name)
{
    REDRIVE_TRY(createLedger(connection, migrations));
    auto insert =
        connection.dynamicQuery(u"INSERT INTO %1 (name) VALUES (?)"_s.arg(quotedSqlName(migrations.table)));
    REDRIVE_TRY(insert.bind(name).run());
    return {};
}

Result<QStringList> recorded(Connection& connection, const UserMigrations& migrations)
{
    auto exists = connection.dynamicQuery(
        u"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND lower(name) = lower(?)"_s);
    exists.bind(migrations.table);
    const bool hasLedger = exists.next() && exists.int64(0) > 0;
    REDRIVE_TRY(exists.status());
    QStringList names;
    if (!hasLedger)
        return names;
    auto query = connection.dynamicQuery(u"SELECT name FROM %1"_s.arg(quotedSqlName(migrations.table)));
    while (query.next())
        names.append(query.text(0));
    REDRIVE_TRY(query.status());
    return names;
}

Status runStatement(Connection& connection, const QString& statement)
{
    REDRIVE_ASSIGN(adopted, adoptCreatedTable(connection, statement));
    return adopted ? Status() : connection.execute(statement);
}

// False when another process applied it meanwhile.
Result<bool> applyOne(Connection& connection, const UserMigrations& migrations, const QString& name)
{
    REDRIVE_ASSIGN(script, readScript(migrations, name));
    const QList<SqlStatement> all = splitSql(script);
    REDRIVE_ASSIGN(statements, withoutTransaction(name, all));
    connection.forgetStatements();
    REDRIVE_ASSIGN(transaction, Transaction::begin(connection));
    REDRIVE_ASSIGN(names, recorded(connection, migrations));
    if (names.contains(name))
        return false;
    for (qsizetype i = 0; i < statements.size(); ++i) {
        if (auto done = runStatement(connection, statements[i].text); !done) {
            Error error = std::move(done.error());
            error.message = u"%1 failed at %2"_s.arg(name, where(statements, i));
            return fail(std::move(error));
        }
    }
    if (auto done = ensureTelemetryTable(connection); !done) {
        Error error = std::move(done.error());
        error.message = u"%1 is not applied: %2"_s.arg(name, error.message);
        return fail(std::move(error));
    }
    if (auto done = record(connection, migrations, name); !done) {
        Error error = std::move(done.error());
        error.message = u"%1 could not be recorded in '%2'"_s.arg(name, migrations.table);
        return fail(std::move(error));
    }
    REDRIVE_TRY(transaction.commit());
    return true;
}

} // namespace

Result<QStringList> userMigrationFiles(const UserMigrations& migrations)
{
    if (!QDir(migrations.folder).exists())
        return fail(ErrorKind::NotFound,
                    u"the migrations folder '%1' does not exist"_s.arg(migrations.folder));
    const QRegularExpression pattern = patternOf(migrations);
    QStringList files = filesBelow(migrations.folder).filter(pattern);
    std::sort(files.begin(), files.end(), migrationComesBefore);
    return files;
}

Result<QStringList> pendingUserMigrations(Connection& connection, const UserMigrations& migrations)
{
    REDRIVE_ASSIGN(files, userMigrationFiles(migrations));
    REDRIVE_ASSIGN(names, recorded(connection, migrations));
    files.removeIf([&names = names](const QString& file) { return names.contains(file); });
    return files;
}

QString userMigrationsHint(const UserMigrations& migrations)
{
    const auto taken = userMigrationFiles(migrations);
    if (!taken)
        return {};
    QStringList left = filesBelow(migrations.folder);
    left.removeIf([&taken](const QString& file) { return !file.endsWith(u".sql") || taken->contains(file); });
    if (left.isEmpty())
        return {};
    left.sort();
    return u"%1 further .sql file(s) are not taken, for example '%2'. Set migrations_pattern (for example "
           u"'%3/*/migration.sql') to take nested ones"_s.arg(QString::number(left.size()), left.first(),
                                                              QDir(migrations.folder).dirName());
}

Result<QStringList> applyUserMigrations(Connection& connection, const UserMigrations& migrations,
                                        const std::function<void(const QString&)>& onApplied)
{
    REDRIVE_ASSIGN(pending, pendingUserMigrations(connection, migrations));
    QStringList applied;
    for (const QString& name : pending) {
        REDRIVE_ASSIGN(done, applyOne(connection, migrations, name));
        if (!done)
            continue;
        applied.append(name);
        if (onApplied)
            onApplied(name);
    }
    return applied;
}

bool foundItMadeAlready(const Error& error)
{
    return error.detail.contains(u"duplicate column name") || error.detail.contains(u"already exists");
}

Status markUserMigrationApplied(Connection& connection, const UserMigrations& migrations, const QString& name)
{
    REDRIVE_ASSIGN(pending, pendingUserMigrations(connection, migrations));
    if (!pending.contains(name))
        return fail(ErrorKind::NotFound, u"'%1' is not a pending migration"_s.arg(name));
    REDRIVE_ASSIGN(transaction, Transaction::begin(connection));
    REDRIVE_TRY(record(connection, migrations, name));
    return transaction.commit();
}

} // namespace redrive
