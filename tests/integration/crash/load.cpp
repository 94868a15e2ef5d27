#include "tests/integration/crash/load.h"

#include "tests/integration/crash/kept_connection.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace redrive::test {

using std::chrono::steady_clock;

Load::Load(LoadLedger& ledger, int connections, int jobsPerSecond, Body body)
    : m_ledger(ledger), m_body(std::move(body))
{
    const auto pause = std::chrono::microseconds(1'000'000LL * connections / jobsPerSecond);
    for (int i = 0; i < connections; ++i)
        m_threads.emplace_back([this, pause] { run(pause); });
}

Load::~Load()
{
    end();
}

void Load::setPort(quint16 port)
{
    std::lock_guard lock(m_mutex);
    m_port = port;
    m_changed.notify_all();
}

void Load::end()
{
    {
        std::lock_guard lock(m_mutex);
        m_ending = true;
        m_changed.notify_all();
    }
    for (std::thread& thread : m_threads)
        if (thread.joinable())
            thread.join();
}

std::optional<quint16> Load::waitForTurn(steady_clock::time_point next)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_until(lock, next, [this] { return m_ending; });
    m_changed.wait(lock, [this] { return m_ending || m_port != 0; });
    return m_ending ? std::nullopt : std::optional(m_port);
}

void Load::run(steady_clock::duration pause)
{
    KeptConnection connection;
    quint16 connectedTo = 0;
    steady_clock::time_point next = steady_clock::now();
    while (const auto port = waitForTurn(next)) {
        next = std::max(next + pause, steady_clock::now() - pause);
        const int number = m_ledger.invoke();
        if (!connection.isOpen() || connectedTo != *port) {
            if (!connection.open(*port)) {
                m_ledger.refused(number);
                continue;
            }
            connectedTo = *port;
        }
        const KeptConnection::Answer answer = connection.post("/jobs", m_body(number));
        if (answer.status == 202)
            m_ledger.acknowledged(
                number, QJsonDocument::fromJson(answer.body)[QStringLiteral("jobId")].toString().toLatin1());
        else if (answer.status != 0)
            m_ledger.refused(number);
    }
}

} // namespace redrive::test
