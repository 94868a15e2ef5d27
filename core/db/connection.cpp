#include "core/db/connection.h"

#include "core/db/dialect.h"
#include "core/db/sqlite_errors.h"

#include <QSqlDriver>
#include <QSqlError>
#include <QVariant>

#include <atomic>

#include <dlfcn.h>

namespace redrive {

namespace {

QString nextConnectionName()
{
    static std::atomic<quint64> counter = 0;
    return QStringLiteral("store-%1").arg(++counter);
}

// Of the library that the driver uses, which has no way to it of its own.
template <typename Function>
Function driverFunction(const char* name)
{
    void* library = ::dlopen("libsqlite3.so.0", RTLD_LAZY | RTLD_NOLOAD);
    return library ? reinterpret_cast<Function>(::dlsym(library, name)) : nullptr;
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
    std::unique_ptr<Connection> connection(new Connection(target, access, nextConnectionName()));
    if (access == Access::Writer) {
        REDRIVE_TRY(connection->openFile(target.path, {}));
        return connection;
    }
    const QString readOnly = QStringLiteral(";QSQLITE_OPEN_READONLY");
    const Status opened = connection->openFile(target.path, readOnly);
    if (opened || !ReadOnlyStore::isNeeded(target, opened.error()))
        return opened ? Result<std::unique_ptr<Connection>>(std::move(connection)) : fail(opened.error());
    REDRIVE_ASSIGN(seen, ReadOnlyStore::make(target));
    connection->m_readOnly = std::move(seen);
    REDRIVE_TRY(connection->openFile(connection->m_readOnly->address(),
                                     readOnly + QStringLiteral(";QSQLITE_OPEN_URI")));
    return connection;
}

Status Connection::openFile(const QString& name, const QString& options)
{
    m_database.close();
    m_database.setDatabaseName(name);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000") + options);
    if (!m_database.open())
        return fail(errorFromSqlite(m_database.lastError(), u"opening "_s + m_target.path));
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
        return {};
    // The first look at the file itself.
    auto tables = dynamicQuery(QStringLiteral("SELECT count(*) FROM sqlite_master"));
    (void)tables.next();
    return tables.status();
}

void Connection::setBusyTimeout(int ms)
{
    (void)execute(QStringLiteral("PRAGMA busy_timeout=%1").arg(ms));
}

void* Connection::handle() const
{
    const QVariant handle = m_database.driver()->handle();
    return qstrcmp(handle.typeName(), "sqlite3*") == 0 ? *static_cast<void* const*>(handle.constData())
                                                       : nullptr;
}

void Connection::keepLogOnClose()
{
    constexpr int kNoCheckpointOnClose = 1006; // SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE
    if (auto* configure = driverFunction<int (*)(void*, int, ...)>("sqlite3_db_config");
        configure && handle())
        configure(handle(), kNoCheckpointOnClose, 1, nullptr);
}

std::function<void()> Connection::interrupter() const
{
    auto* interrupt = driverFunction<void (*)(void*)>("sqlite3_interrupt");
    if (!interrupt || !handle())
        return {};
    return [interrupt, database = handle()] { interrupt(database); };
}

Query Connection::query(const char* statement)
{
    std::unique_ptr<QSqlQuery>& kept = m_statements[statement];
    if (!kept) {
        auto prepared = std::make_unique<QSqlQuery>(m_database);
        prepared->setForwardOnly(true);
        if (!prepared->prepare(sqliteSql(statement)))
            return Query(errorFromSqlite(prepared->lastError(), u"preparing a statement"_s));
        kept = std::move(prepared);
    }
    return Query(*kept, u"running a statement"_s);
}

Query Connection::dynamicQuery(const QString& statement)
{
    QSqlQuery prepared(m_database);
    prepared.setForwardOnly(true);
    if (!prepared.prepare(sqliteSql(statement.toUtf8().constData())))
        return Query(errorFromSqlite(prepared.lastError(), u"preparing a statement"_s));
    return Query(std::move(prepared), u"running a statement"_s);
}

Status Connection::execute(const QString& statement)
{
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (query.exec(statement))
        return {};
    return fail(errorFromSqlite(query.lastError(), u"running a statement"_s));
}

void Connection::forgetStatements()
{
    m_statements.clear();
}

} // namespace redrive
