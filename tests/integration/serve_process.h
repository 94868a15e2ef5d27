// `redrive serve` as a child process on a folder of its own, with the wrangler.toml that stands there. One
// thread.
#pragma once

#include <QProcess>
#include <QString>

namespace redrive::test {

class ServeProcess final
{
public:
    // Its log goes to `folder`/serve.log, its data to `folder`/data.
    explicit ServeProcess(QString folder);
    ~ServeProcess(); // killed where it still runs

    void spawn();
    // Spawns it; true once it listens.
    bool start();
    QString url() const { return m_url; }
    QString databasePath() const { return m_folder + QStringLiteral("/data/redrive.db"); }
    qint64 spawnedAtMs() const { return m_spawnedAtMs; }   // unix
    qint64 listenedAtMs() const { return m_listenedAtMs; } // unix

    void signal(int number);
    // SIGKILL, and gone when it returns.
    void killNow();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    // The exit code; nothing when it did not end in time or by a signal.
    std::optional<int> exitWithin(int ms);
    QByteArray log() const;

private:
    QString m_folder;
    QProcess m_process;
    QString m_url;
    qint64 m_spawnedAtMs = 0;
    qint64 m_listenedAtMs = 0;
};

} // namespace redrive::test
