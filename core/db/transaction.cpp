#include "core/db/transaction.h"

namespace redrive {

Result<Transaction> Transaction::begin(Connection& connection)
{
    auto begin = connection.query("BEGIN IMMEDIATE");
    REDRIVE_TRY(begin.run());
    connection.m_inTransaction = true;
    return Transaction(connection);
}

Transaction::~Transaction()
{
    if (m_connection)
        rollback();
}

Status Transaction::commit()
{
    auto commit = m_connection->query("COMMIT");
    REDRIVE_TRY(commit.run()); // on an error the destructor rolls back
    m_connection->m_inTransaction = false;
    m_connection = nullptr;
    return {};
}

void Transaction::rollback()
{
    m_connection->m_inTransaction = false;
    auto rollback = m_connection->query("ROLLBACK");
    (void)rollback.run(); // fails when the database rolled back by itself, which is as good
}

} // namespace redrive
