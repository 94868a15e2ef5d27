#include "core/receiver/receiver_loop.h"

#include <algorithm>
#include <limits>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr std::size_t kScratch = 65'536;
constexpr int kAcceptsPerTurn = 64;
constexpr int kNoDescriptorsMs = 100; // until accepting is tried again

HttpLimits limitsFor(qint64 mostRequestBytes)
{
    HttpLimits limits;
    limits.bodyBytes = mostRequestBytes;
    return limits;
}

} // namespace

ReceiverLoop::ReceiverLoop(int listener, int wakeUp, std::shared_ptr<const TlsContext> tls,
                           ReceiverDesk& desk, const Clock& clock, int mostConnections,
                           qint64 mostRequestBytes)
    : m_listener(listener), m_wakeUp(wakeUp), m_tls(std::move(tls)), m_clock(clock),
      m_mostConnections(mostConnections),
      m_limits(limitsFor(mostRequestBytes)), m_shared{desk, m_poll, m_limits}, m_scratch(kScratch)
{
}

void ReceiverLoop::run()
{
    while (true) {
        pollfd polled[3] = {{m_wakeUp, POLLIN, 0}, {m_poll.descriptor(), POLLIN, 0}, {m_listener, POLLIN, 0}};
        ::poll(polled, 3, waitMs());
        if (polled[0].revents & POLLIN)
            return;
        const qint64 now = m_clock.steadyMs();
        m_poll.visitReady([&](quint64 id, quint32 events) {
            const auto found = m_connections.find(id);
            if (found == m_connections.end())
                return;
            found->second->onEvents(events, m_scratch, now);
            afterMove(id);
        });
        if (polled[2].revents & POLLIN)
            acceptAll(now);
        wakeDue(now);
    }
}

int ReceiverLoop::waitMs() const
{
    if (m_wakes.empty())
        return -1;
    const qint64 left = m_wakes.begin()->first - m_clock.steadyMs();
    return int(std::clamp<qint64>(left, 0, 60'000));
}

void ReceiverLoop::acceptAll(qint64 nowMs)
{
    for (int i = 0; i < kAcceptsPerTurn; ++i) {
        const int socket = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0) {
            if (errno == EMFILE || errno == ENFILE)
                ::poll(nullptr, 0, kNoDescriptorsMs); // the listener stays readable: not in a circle
            return;
        }
        if (int(m_connections.size()) >= m_mostConnections) {
            ::close(socket);
            continue;
        }
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const quint64 id = m_nextId++;
        m_connections.emplace(id, std::make_unique<ReceiverConnection>(m_shared, socket, m_tls, id, nowMs));
        afterMove(id);
    }
}

void ReceiverLoop::wakeDue(qint64 nowMs)
{
    while (!m_wakes.empty() && m_wakes.begin()->first <= nowMs) {
        const quint64 id = m_wakes.begin()->second;
        m_wakes.erase(m_wakes.begin());
        m_wakeOf.erase(id);
        m_connections.at(id)->onTime(nowMs);
        afterMove(id);
    }
}

// A later time than the one noted is found out when that one comes, so that traffic moves no entry.
void ReceiverLoop::afterMove(quint64 id)
{
    const auto noted = m_wakeOf.find(id);
    const ReceiverConnection& connection = *m_connections.at(id);
    const bool closed = connection.isClosed();
    const qint64 wake = closed ? 0 : connection.wakeAtMs();
    if (noted != m_wakeOf.end()) {
        if (!closed && noted->second <= wake)
            return;
        m_wakes.erase({noted->second, id});
        m_wakeOf.erase(noted);
    }
    if (closed) {
        m_connections.erase(id);
        return;
    }
    m_wakes.emplace(wake, id);
    m_wakeOf.emplace(id, wake);
}

} // namespace redrive
