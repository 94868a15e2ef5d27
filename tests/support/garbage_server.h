// A server on loopback that answers whatever comes with bytes that are no protocol, and closes. Counts the
// connections. Any thread.
#pragma once

#include <QByteArray>
#include <QtGlobal>

#include <atomic>
#include <thread>

namespace redrive::test {

class GarbageServer final
{
public:
    explicit GarbageServer(QByteArray garbage = QByteArray("\x7f\x00\xff garbage \r\n\r\n", 16));
    ~GarbageServer();
    GarbageServer(const GarbageServer&) = delete;
    GarbageServer& operator=(const GarbageServer&) = delete;

    quint16 port() const { return m_port; }
    int connections() const { return m_connections; }

private:
    void run();

    QByteArray m_garbage;
    int m_listener = -1;
    quint16 m_port = 0;
    std::atomic<int> m_connections = 0;
    std::thread m_thread;
};

} // namespace redrive::test
