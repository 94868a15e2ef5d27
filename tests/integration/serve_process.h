// `redrive serve` as a child process on a folder of its own, with the wrangler.toml that stands there. One
// thread.
#pragma once

#include <QHash>
#include <QProcess>
#include <QString>

namespace redrive::test {

class ServeProcess final
{
public:
    // Its log goes to `folder`/serve.log, its data to `folder`/data.
    explicit ServeProcess(QString folder);
    ~ServeProcess(); // killed where it still runs

    // For the lives that follow; an empty value takes it away.
    void setVariable(const QString& name, const QString& value);
    // Further words of the command line.
    void setArguments(const QStringList& arguments) { m_arguments = arguments; }
    void spawn();
    // Spawns it; true once it listens.
    bool start();
    QString url() const { return m_url; }
    QString databasePath() const { return m_folder + QStringLiteral("/data/redrive.db"); }
    qint64 spawnedAtMs() const { return m_spawnedAtMs; }   // unix
    qint64 listenedAtMs() const { return m_listenedAtMs; } // unix

    qint64 processId() const { return m_process.processId(); }
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
    QHash<QString, QString> m_variables;
    QStringList m_arguments;
    QString m_url;
    qint64 m_spawnedAtMs = 0;
    qint64 m_listenedAtMs = 0;
};

} // namespace redrive::test
