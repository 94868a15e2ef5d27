// Several statements that see one state of the store. Short ones only: an open snapshot lets the log grow.
// The connection's thread; not inside a transaction.
#pragma once

#include "core/db/connection.h"

#include <utility>

namespace redrive {

class ReadSnapshot final
{
public:
    static Result<ReadSnapshot> begin(Connection& connection)
    {
        auto begin = connection.query("BEGIN");
        REDRIVE_TRY(begin.run());
        return ReadSnapshot(connection);
    }
    ~ReadSnapshot()
    {
        if (m_connection)
            (void)m_connection->query("ROLLBACK").run();
    }
    ReadSnapshot(ReadSnapshot&& other) noexcept : m_connection(std::exchange(other.m_connection, nullptr)) {}
    ReadSnapshot& operator=(ReadSnapshot&&) = delete;

private:
    explicit ReadSnapshot(Connection& connection) : m_connection(&connection) {}

    Connection* m_connection;
};

} // namespace redrive
