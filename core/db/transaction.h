// BEGIN IMMEDIATE … COMMIT, rolled back when it goes out of scope uncommitted. The connection's thread.
#pragma once

#include "core/db/connection.h"

namespace redrive {

class Transaction final
{
public:
    static Result<Transaction> begin(Connection& connection);
    ~Transaction();
    Transaction(Transaction&& other) noexcept : m_connection(std::exchange(other.m_connection, nullptr)) {}
    Transaction& operator=(Transaction&&) = delete;

    // Durable when it returns without error.
    Status commit();

private:
    explicit Transaction(Connection& connection) : m_connection(&connection) {}
    void rollback();

    Connection* m_connection;
};

} // namespace redrive
