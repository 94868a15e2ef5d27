// A connection to the store: one per thread, opened, used and closed in that thread.
#pragma once

#include "core/db/query.h"
#include "core/db/read_only_store.h"
#include "core/db/target.h"

#include <QSqlDatabase>

#include <functional>
#include <memory>
#include <unordered_map>

namespace redrive {

class Connection final
{
public:
    // Opens the file (a writer creates it; a reader on a read-only file system sees it as read_only_store.h
    // says) and sets the session up: WAL, synchronous FULL, busy timeout, no mmap. Says whether it is a
    // database of ours at all: see checkStore() in store_check.h.
    static Result<std::unique_ptr<Connection>> open(const DatabaseTarget& target, Access access);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // `statement` must be a string constant: prepared once, kept by its address. Tokens as in dialect.h.
    Query query(const char* statement);
    // For statements put together at run time: prepared each time.
    Query dynamicQuery(const QString& statement);
    // Runs one statement without binds or rows.
    Status execute(const QString& statement);

    Access access() const { return m_access; }
    const DatabaseTarget& target() const { return m_target; }
    // Drops the kept statements, as is needed before the schema changes.
    void forgetStatements();
    bool inTransaction() const { return m_inTransaction; }
    // How long a statement waits for another process's lock, 5 s at first, before it fails with Busy.
    void setBusyTimeout(int ms);
    // The log stays as it is when this is the last connection to be closed: what is damaged is not merged.
    void keepLogOnClose();
    // A writer: what of the log was in use after its last commit, whoever wrote it; the file may be longer.
    qint64 logBytes() const { return m_logBytes; }
    // Makes the statement that runs now end with Cancelled; callable from any thread while the connection
    // lives.
    std::function<void()> interrupter() const;

private:
    friend class Transaction;
    Connection(DatabaseTarget target, Access access, QString name);
    Status openFile(const QString& name, const QString& options);
    Status setUp();
    Status watchLog();
    Result<std::unique_ptr<SqliteStatement>> prepare(const QString& sql, SqliteStatement::Use use);

    DatabaseTarget m_target;
    std::unique_ptr<ReadOnlyStore> m_readOnly; // where the file itself could not be opened
    Access m_access;
    QString m_name;
    QSqlDatabase m_database;
    sqlite3* m_handle = nullptr; // of the driver, while it is open
    std::unordered_map<const char*, std::unique_ptr<SqliteStatement>> m_statements;
    bool m_inTransaction = false;
    qint64 m_pageBytes = 0; // in the log
    qint64 m_logBytes = 0;
};

} // namespace redrive
