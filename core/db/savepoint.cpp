#include "core/db/savepoint.h"

namespace redrive {

Result<Savepoint> Savepoint::begin(Connection& connection)
{
    auto begin = connection.query("SAVEPOINT part");
    REDRIVE_TRY(begin.run());
    return Savepoint(connection);
}

Savepoint::~Savepoint()
{
    if (!m_connection)
        return;
    auto undo = m_connection->query("ROLLBACK TO part");
    (void)undo.run(); // fails when the database rolled everything back, which is as good
    auto forget = m_connection->query("RELEASE part");
    (void)forget.run();
}

Status Savepoint::release()
{
    auto release = m_connection->query("RELEASE part");
    REDRIVE_TRY(release.run());
    m_connection = nullptr;
    return {};
}

Status Savepoint::undo()
{
    auto undo = m_connection->query("ROLLBACK TO part");
    REDRIVE_TRY(undo.run());
    return release();
}

} // namespace redrive
