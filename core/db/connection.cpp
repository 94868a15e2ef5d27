#include "core/db/connection.h"

#include "core/db/dialect.h"
#include "core/db/sqlite_errors.h"

#include <QSqlError>

#include <atomic>

namespace redrive {

namespace {

QString nextConnectionName()
{
    static std::atomic<quint64> counter = 0;
    return QStringLiteral("store-%1").arg(++counter);
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
    connection->m_database.setDatabaseName(target.path);
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000");
    if (access == Access::Reader)
        options += QStringLiteral(";QSQLITE_OPEN_READONLY");
    connection->m_database.setConnectOptions(options);
    if (!connection->m_database.open())
        return fail(errorFromSqlite(connection->m_database.lastError(), u"opening "_s + target.path));
    REDRIVE_TRY(connection->setUp());
    return connection;
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
    return execute(QStringLiteral("PRAGMA cache_size=-2000"));
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
