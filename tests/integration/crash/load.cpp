#include "tests/integration/crash/load.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace redrive::test {

using std::chrono::steady_clock;

Load::Load(LoadLedger& ledger, int connections, int perSecond, Request request)
    : m_ledger(ledger), m_request(std::move(request))
{
    const auto pause = std::chrono::microseconds(1'000'000LL * connections / perSecond);
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
        if (!connection.isOpen() || connectedTo != *port) {
            if (!connection.open(*port))
                continue;
            connectedTo = *port;
        }
        m_request(connection, m_ledger);
    }
}

Load::Request Load::job(Body body)
{
    return [body = std::move(body)](KeptConnection& connection, LoadLedger& ledger) {
        const int number = ledger.invoke();
        const KeptConnection::Answer answer = connection.post("/jobs", body(number));
        if (answer.status == 202)
            ledger.acknowledged(
                number, QJsonDocument::fromJson(answer.body)[QStringLiteral("jobId")].toString().toLatin1());
        else if (answer.status != 0)
            ledger.refused(number);
    };
}

} // namespace redrive::test
