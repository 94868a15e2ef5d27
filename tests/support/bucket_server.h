// tests/support/s3_server.py as a process: a bucket that checks signatures. One thread.
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace redrive::test {

class BucketServer final
{
public:
    explicit BucketServer(const QString& script, int failures = 0,
                          const QString& secretKey = QStringLiteral("secret/Key+1"))
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral("/usr/bin/python3"),
                        {script, QStringLiteral("auto"), QStringLiteral("AKIDEXAMPLE"), secretKey,
                         QString::number(failures)});
        m_port = nextLine().trimmed().toInt();
    }
    ~BucketServer()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    QString url() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }
    QJsonObject nextRequest() { return QJsonDocument::fromJson(nextLine()).object(); }
    bool wasAsked() { return m_process.canReadLine() || m_process.waitForReadyRead(0); }

private:
    QByteArray nextLine()
    {
        while (!m_process.canReadLine())
            if (!m_process.waitForReadyRead(20'000))
                return {};
        return m_process.readLine();
    }

    QProcess m_process;
    int m_port = 0;
};

} // namespace redrive::test
