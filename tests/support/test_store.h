// A temporary database, opened and migrated, gone with the object. Needs a QCoreApplication
// (QTEST_GUILESS_MAIN). The thread that made it.
#pragma once

#include "core/db/connection.h"

#include <QTemporaryDir>

namespace redrive::test {

class TestStore final
{
public:
    // Aborts the test program when the store cannot be made.
    explicit TestStore(qint64 nowMs = 1'900'000'000'000);

    Connection& db() { return *m_connection; }
    DatabaseTarget target() const;
    QString folder() const { return m_folder.path(); }
    std::unique_ptr<Connection> openReader() const;
    std::unique_ptr<Connection> openWriter() const; // one more, as of another process

    // Runs a statement and aborts on an error.
    void execute(const QString& statement);
    // The first column of the first row; 0 or empty without one.
    qint64 number(const QString& statement);
    QString text(const QString& statement);

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Connection> m_connection;
};

} // namespace redrive::test
