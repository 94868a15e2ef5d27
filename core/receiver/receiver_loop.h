// The receiver's thread: accepts, waits for sockets and for time. The thread that runs it.
#pragma once

#include "core/receiver/receiver_connection.h"

#include <set>
#include <unordered_map>
#include <vector>

namespace redrive {

class ReceiverLoop final
{
public:
    ReceiverLoop(int listener, int wakeUp, std::shared_ptr<const TlsContext> tls, ReceiverDesk& desk,
                 const Clock& clock, int mostConnections, qint64 mostRequestBytes);

    // Whether it has what it waits with.
    bool isOpen() const { return m_poll.isOpen(); }
    // Until `wakeUp`, an eventfd, becomes readable.
    void run();

private:
    using Connections = std::unordered_map<quint64, std::unique_ptr<ReceiverConnection>>;

    int waitMs() const;
    void acceptAll(qint64 nowMs);
    void wakeDue(qint64 nowMs);
    void afterMove(quint64 id);

    const int m_listener;
    const int m_wakeUp;
    const std::shared_ptr<const TlsContext> m_tls;
    const Clock& m_clock;
    const int m_mostConnections;
    HttpLimits m_limits;
    SocketPoll m_poll;
    const ReceiverConnection::Shared m_shared;
    std::vector<char> m_scratch;
    Connections m_connections;
    // When to look at which connection again; at most one entry each, never later than it needs.
    std::set<std::pair<qint64, quint64>> m_wakes;
    std::unordered_map<quint64, qint64> m_wakeOf;
    quint64 m_nextId = 1;
};

} // namespace redrive
