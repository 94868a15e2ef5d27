// `redrive serve` over a database that a test does harm to, with what people hear of it. One thread.
#pragma once

#include "core/db/connection.h"
#include "tests/integration/serve_process.h"
#include "tests/support/plain_client.h"

#include <QTemporaryDir>

namespace redrive::test {

class StorageRig final
{
public:
    // `database`: its path; empty: in the rig's own folder. Jobs of type "quick" note their runs in a file.
    explicit StorageRig(const QString& database = {});

    bool start();
    ServeProcess& serve() { return m_serve; }
    const ServeProcess& serve() const { return m_serve; }
    QString database() const { return m_database; }
    QString path(const QString& name) const { return m_folder.filePath(name); }

    PlainAnswer post(const QByteArray& payload = "1", const QByteArray& type = "quick") const;
    PlainAnswer healthz() const;
    bool isHealthy() const { return healthz().status == 200; }
    // The first reason of /healthz; empty: all is well.
    QString reason() const;
    static QByteArray code(const PlainAnswer& answer); // of an error
    static int retryAfter(const PlainAnswer& answer);

    // A command of the program on the same database: its exit code and what it said on standard error.
    std::pair<int, QString> command(const QStringList& words) const;
    // The first number of a statement, read while the engine runs.
    qint64 number(const QString& statement) const;
    // Jobs that wait or run.
    qint64 open() const;
    // Attempts that were recorded as anything but done, and jobs that died.
    qint64 failures() const;
    // Runs that the jobs themselves noted.
    int runs() const;

private:
    QTemporaryDir m_folder;
    QString m_database;
    ServeProcess m_serve;
};

} // namespace redrive::test
