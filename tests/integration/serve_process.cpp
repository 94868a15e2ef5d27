#include "tests/integration/serve_process.h"

#include <QDateTime>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <csignal>
#include <sys/prctl.h>

namespace redrive::test {

namespace {
constexpr int kPatienceMs = 30'000;
}

ServeProcess::ServeProcess(QString folder) : m_folder(std::move(folder))
{
    // A test that is killed takes it along.
    m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
}

ServeProcess::~ServeProcess()
{
    if (isRunning())
        killNow();
}

void ServeProcess::setVariable(const QString& name, const QString& value)
{
    if (value.isEmpty())
        m_variables.remove(name);
    else
        m_variables.insert(name, value);
}

void ServeProcess::spawn()
{
    m_url.clear();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "CLOUDFLARE_ENV"})
        environment.remove(QString::fromLatin1(name));
    for (auto variable = m_variables.cbegin(); variable != m_variables.cend(); ++variable)
        environment.insert(variable.key(), *variable);
    m_process.setProcessEnvironment(environment);
    m_process.setWorkingDirectory(m_folder);
    m_process.setStandardErrorFile(m_folder + QStringLiteral("/serve.log"), QIODevice::Append);
    m_spawnedAtMs = QDateTime::currentMSecsSinceEpoch();
    m_process.start(QStringLiteral(REDRIVE_PROGRAM),
                    QStringList{QStringLiteral("serve"), QStringLiteral("--json"), QStringLiteral("--listen"),
                                QStringLiteral("127.0.0.1:0"), QStringLiteral("--data"),
                                m_folder + QStringLiteral("/data")} +
                        m_arguments);
}

bool ServeProcess::start()
{
    spawn();
    while (!m_process.canReadLine() && m_process.waitForReadyRead(kPatienceMs)) {
    }
    m_listenedAtMs = QDateTime::currentMSecsSinceEpoch();
    m_url = QJsonDocument::fromJson(m_process.readLine()).object()[QStringLiteral("listen")].toString();
    return !m_url.isEmpty();
}

void ServeProcess::signal(int number)
{
    ::kill(pid_t(m_process.processId()), number);
}

void ServeProcess::killNow()
{
    m_process.kill();
    m_process.waitForFinished(kPatienceMs);
}

std::optional<int> ServeProcess::exitWithin(int ms)
{
    if (isRunning() && !m_process.waitForFinished(ms))
        return std::nullopt;
    if (m_process.exitStatus() != QProcess::NormalExit)
        return std::nullopt;
    return m_process.exitCode();
}

QByteArray ServeProcess::log() const
{
    QFile file(m_folder + QStringLiteral("/serve.log"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace redrive::test
