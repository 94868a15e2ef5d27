#include "tests/bench/raw_database.h"

namespace redrive::bench {

RawDatabase::RawDatabase(const QString& path)
{
    if (sqlite3_open(path.toUtf8().constData(), &m_db) != SQLITE_OK)
        qFatal("open: %s", sqlite3_errmsg(m_db));
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=FULL");
    run("PRAGMA wal_autocheckpoint=4000");
}

RawDatabase::~RawDatabase()
{
    for (sqlite3_stmt* statement : m_statements)
        sqlite3_finalize(statement);
    sqlite3_close(m_db);
}

void RawDatabase::run(const char* sql)
{
    if (sqlite3_exec(m_db, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        qFatal("%s: %s", sql, sqlite3_errmsg(m_db));
}

sqlite3_stmt* RawDatabase::prepare(const char* sql)
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(m_db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK)
        qFatal("%s: %s", sql, sqlite3_errmsg(m_db));
    m_statements.push_back(statement);
    return statement;
}

void RawDatabase::step(sqlite3_stmt* statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        qFatal("step: %s", sqlite3_errmsg(m_db));
    sqlite3_reset(statement);
}

void bindText(sqlite3_stmt* statement, int position, const QByteArray& value)
{
    sqlite3_bind_text(statement, position, value.constData(), int(value.size()), SQLITE_STATIC);
}

} // namespace redrive::bench
