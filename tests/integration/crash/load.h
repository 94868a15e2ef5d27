// Requests at an even pace over several connections, what they carry in the ledger before it is sent and
// after it is acknowledged. The thread that made it; its own threads send.
#pragma once

#include "tests/integration/crash/kept_connection.h"
#include "tests/integration/crash/load_ledger.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <thread>
#include <vector>

namespace redrive::test {

class Load final
{
public:
    using Body = std::function<QByteArray(int number)>; // any thread
    // One request and what the ledger says of it; any thread.
    using Request = std::function<void(KeptConnection&, LoadLedger&)>;

    Load(LoadLedger& ledger, int connections, int perSecond, Request request);
    ~Load(); // ends
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    // Where the engine listens now; 0: nowhere, the load waits.
    void setPort(quint16 port);
    void end();

    // POST /jobs.
    static Request job(Body body);

private:
    void run(std::chrono::steady_clock::duration pause);
    // The port to send to when it is time; nothing at the end.
    std::optional<quint16> waitForTurn(std::chrono::steady_clock::time_point next);

    LoadLedger& m_ledger;
    const Request m_request;
    std::mutex m_mutex; // guards m_port, m_ending
    std::condition_variable m_changed;
    quint16 m_port = 0;
    bool m_ending = false;
    std::vector<std::thread> m_threads;
};

} // namespace redrive::test
