// A part of a transaction that can be taken back alone: undone when it goes out of scope without release().
// Inside a transaction, the connection's thread.
#pragma once

#include "core/db/connection.h"

namespace redrive {

class Savepoint final
{
public:
    static Result<Savepoint> begin(Connection& connection);
    ~Savepoint();
    Savepoint(Savepoint&& other) noexcept : m_connection(std::exchange(other.m_connection, nullptr)) {}
    Savepoint& operator=(Savepoint&&) = delete;

    Status release();
    // Takes it back now. An error: the database itself has ended the whole transaction.
    Status undo();

private:
    explicit Savepoint(Connection& connection) : m_connection(&connection) {}

    Connection* m_connection;
};

} // namespace redrive
