// The SQLite C interface with as little around it as raw loops need: statements prepared once, errors end the
// program. WAL, synchronous FULL. One thread.
#pragma once

#include <QByteArray>
#include <QString>

#include <sqlite3.h>

#include <vector>

namespace redrive::bench {

class RawDatabase final
{
public:
    explicit RawDatabase(const QString& path);
    ~RawDatabase();
    RawDatabase(const RawDatabase&) = delete;
    RawDatabase& operator=(const RawDatabase&) = delete;

    void run(const char* sql);
    sqlite3_stmt* prepare(const char* sql);
    void step(sqlite3_stmt* statement); // one without rows

private:
    sqlite3* m_db = nullptr;
    std::vector<sqlite3_stmt*> m_statements;
};

// The value must live until the statement has run.
void bindText(sqlite3_stmt* statement, int position, const QByteArray& value);

} // namespace redrive::bench
