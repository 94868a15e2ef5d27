#include "core/db/connection.h"

#include "core/db/dialect.h"
#include "core/db/gathering_layer.h"
#include "core/db/sqlite_errors.h"
#include "core/db/sqlite_library.h"

#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>

#include <atomic>

#include <sqlite3.h>

namespace redrive {

namespace {

constexpr qint64 kFrameHeaderBytes = 24;
const QString kIsAddress = QStringLiteral(";QSQLITE_OPEN_URI");

QString nextConnectionName()
{
    static std::atomic<quint64> counter = 0;
    return QStringLiteral("store-%1").arg(++counter);
}

// Of the connection that the driver has opened. The driver must use the library that this program uses: a
// handle of another copy means nothing to it.
Result<sqlite3*> handleOf(const QSqlDatabase& database)
{
    const QVariant handle = database.driver()->handle();
    QSqlQuery version(database);
    const bool same = version.exec(u"SELECT sqlite_source_id()"_s) && version.next() &&
                      version.value(0).toByteArray() == sqlite3_sourceid();
    if (!same || qstrcmp(handle.typeName(), "sqlite3*") != 0)
        return fail(ErrorKind::Internal, u"opening the database"_s,
                    u"Qt's database driver brings an SQLite of its own: build Qt with -system-sqlite"_s);
    return *static_cast<sqlite3* const*>(handle.constData());
}

} // namespace

Connection::Connection(DatabaseTarget target, Access access, QString name)
    : m_target(std::move(target)), m_access(access), m_name(std::move(name)),
      m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name))
{
}

Connection::~Connection()
{
    m_statements.clear();
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_name);
}

Result<std::unique_ptr<Connection>> Connection::open(const DatabaseTarget& target, Access access)
{
    setUpSqlite();
    std::unique_ptr<Connection> connection(new Connection(target, access, nextConnectionName()));
    if (access == Access::Writer) {
        REDRIVE_TRY(connection->openFile(addressWithGatheredLog(target.path), kIsAddress));
        return connection;
    }
    const QString readOnly = QStringLiteral(";QSQLITE_OPEN_READONLY");
    const Status opened = connection->openFile(target.path, readOnly);
    if (opened || !ReadOnlyStore::isNeeded(target, opened.error()))
        return opened ? Result<std::unique_ptr<Connection>>(std::move(connection)) : fail(opened.error());
    REDRIVE_ASSIGN(seen, ReadOnlyStore::make(target));
    connection->m_readOnly = std::move(seen);
    REDRIVE_TRY(connection->openFile(connection->m_readOnly->address(), readOnly + kIsAddress));
    return connection;
}

Status Connection::openFile(const QString& name, const QString& options)
{
    m_database.close();
    m_database.setDatabaseName(name);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000") + options);
    if (!m_database.open())
        return fail(errorFromSqlite(m_database.lastError(), u"opening "_s + m_target.path));
    REDRIVE_ASSIGN(handle, handleOf(m_database));
    m_handle = handle;
    return setUp();
}

Status Connection::setUp()
{
    if (m_access == Access::Writer) {
        auto mode = dynamicQuery(QStringLiteral("PRAGMA journal_mode=WAL"));
        const QString answered = mode.next() ? mode.text(0) : QString();
        REDRIVE_TRY(mode.status());
        if (answered != u"wal")
            return fail(ErrorKind::ReadOnly, u"the database cannot be switched to write-ahead logging"_s,
                        answered);
        REDRIVE_TRY(execute(QStringLiteral("PRAGMA journal_size_limit=67108864")));
        REDRIVE_TRY(execute(QStringLiteral("PRAGMA foreign_keys=OFF")));
    } else {
        REDRIVE_TRY(execute(QStringLiteral("PRAGMA query_only=ON")));
    }
    REDRIVE_TRY(execute(QStringLiteral("PRAGMA synchronous=FULL")));
    REDRIVE_TRY(execute(QStringLiteral("PRAGMA wal_autocheckpoint=0")));
    REDRIVE_TRY(execute(QStringLiteral("PRAGMA mmap_size=0")));
    REDRIVE_TRY(execute(QStringLiteral("PRAGMA temp_store=MEMORY")));
    REDRIVE_TRY(execute(QStringLiteral("PRAGMA cache_size=-2000")));
    if (m_access == Access::Writer)
        return watchLog();
    // The first look at the file itself.
    auto tables = dynamicQuery(QStringLiteral("SELECT count(*) FROM sqlite_master"));
    (void)tables.next();
    return tables.status();
}

Status Connection::watchLog()
{
    auto page = dynamicQuery(QStringLiteral("PRAGMA page_size"));
    if (page.next())
        m_pageBytes = page.int64(0) + kFrameHeaderBytes;
    REDRIVE_TRY(page.status());
    const auto committed = [](void* self, sqlite3*, const char*, int pages) {
        auto* connection = static_cast<Connection*>(self);
        connection->m_logBytes = pages * connection->m_pageBytes;
        return SQLITE_OK;
    };
    sqlite3_wal_hook(m_handle, committed, this);
    return {};
}

void Connection::setBusyTimeout(int ms)
{
    (void)execute(QStringLiteral("PRAGMA busy_timeout=%1").arg(ms));
}

void Connection::keepLogOnClose()
{
    sqlite3_db_config(m_handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

std::function<void()> Connection::interrupter() const
{
    return [database = m_handle] { sqlite3_interrupt(database); };
}

Result<std::unique_ptr<SqliteStatement>> Connection::prepare(const QString& sql, SqliteStatement::Use use)
{
    return SqliteStatement::prepare(m_handle, sql, use);
}

Query Connection::query(const char* statement)
{
    std::unique_ptr<SqliteStatement>& kept = m_statements[statement];
    if (!kept) {
        auto prepared = prepare(sqliteSql(statement), SqliteStatement::Use::Kept);
        if (!prepared)
            return Query(prepared.error());
        kept = *std::move(prepared);
    }
    kept->reset();
    return Query(*kept);
}

Query Connection::dynamicQuery(const QString& statement)
{
    auto prepared = prepare(sqliteSql(statement.toUtf8().constData()), SqliteStatement::Use::Once);
    return prepared ? Query(*std::move(prepared)) : Query(prepared.error());
}

Status Connection::execute(const QString& statement)
{
    REDRIVE_ASSIGN(prepared, prepare(statement, SqliteStatement::Use::Once));
    REDRIVE_TRY(Query(std::move(prepared)).run());
    return {};
}

void Connection::forgetStatements()
{
    m_statements.clear();
}

} // namespace redrive
