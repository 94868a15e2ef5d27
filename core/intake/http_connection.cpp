#include "core/intake/http_connection.h"

namespace redrive {

namespace {
// Of one connection before the others have their turn.
constexpr int kReadsPerTurn = 4;
} // namespace

HttpConnection::HttpConnection(HttpService& service, SocketPoll& poll, Origin origin, quint64 id,
                               qint64 nowMs)
    : m_poll(poll), m_client(origin.client), m_stream(origin.socket, std::move(origin.tls)), m_id(id),
      m_session(service, id, m_client, nowMs), m_lingerMs(service.limits.lingerMs)
{
    m_watched = EPOLLIN;
    if (!m_poll.add(m_stream.socket(), m_id, m_watched))
        m_state = State::Closed;
}

HttpConnection::~HttpConnection()
{
    m_poll.remove(m_stream.socket());
}

void HttpConnection::markSurplus(qint64 lingerMs)
{
    m_surplus = true;
    m_lingerMs = lingerMs;
}

void HttpConnection::onEvents(quint32 events, std::span<char> scratch, qint64 nowMs)
{
    if (events & (EPOLLERR | EPOLLHUP)) {
        m_state = State::Closed;
        return;
    }
    if (m_state == State::Lingering) {
        if (!m_stream.discard(scratch))
            m_state = State::Closed;
        return;
    }
    if (events & EPOLLOUT)
        m_blocked = false;
    if (events & EPOLLIN || (events & EPOLLOUT && m_stream.writesFirst()))
        read(scratch, nowMs);
    flush(nowMs);
}

void HttpConnection::read(std::span<char> scratch, qint64 nowMs)
{
    for (int turn = 0; turn < kReadsPerTurn && m_session.wantsInput() && !m_clientDone; ++turn) {
        const SocketStream::Step step = m_stream.read(scratch);
        switch (step.outcome) {
        case SocketStream::Outcome::Moved:
            m_session.receive({scratch.data(), step.bytes}, nowMs);
            if (std::size_t(step.bytes) < scratch.size())
                return;
            break;
        case SocketStream::Outcome::Ended:
            m_clientDone = true;
            m_session.endOfInput();
            return;
        case SocketStream::Outcome::Waits:
            return;
        case SocketStream::Outcome::Failed:
            m_state = State::Closed;
            return;
        }
    }
}

void HttpConnection::flush(qint64 nowMs)
{
    while (m_state == State::Open && !m_blocked && !m_session.output().isEmpty()) {
        const QByteArray& output = m_session.output();
        // Without a handshake there is nobody to be told that its time is over.
        const SocketStream::Step step = m_stream.write({output.constData(), std::size_t(output.size())});
        if (step.outcome == SocketStream::Outcome::Moved)
            m_session.sent(step.bytes, nowMs);
        else if (step.outcome == SocketStream::Outcome::Waits)
            m_blocked = true;
        else
            m_state = State::Closed;
    }
    if (m_state == State::Open && m_session.isFinished() && m_session.output().isEmpty())
        finish(nowMs);
    watch();
}

// Closing at once with bytes unread would reset the connection, and the client could lose our answer.
void HttpConnection::finish(qint64 nowMs)
{
    if (!m_stream.endOutput() || m_clientDone) {
        m_state = State::Closed;
        return;
    }
    m_state = State::Lingering;
    m_lingerEnd = nowMs + m_lingerMs;
}

void HttpConnection::tick(qint64 nowMs)
{
    if (m_state == State::Lingering && nowMs >= m_lingerEnd)
        m_state = State::Closed;
    if (m_state != State::Open)
        return;
    m_session.tick(nowMs);
    if (m_session.isStalled())
        m_state = State::Closed;
    else
        flush(nowMs);
}

void HttpConnection::watch()
{
    if (m_state == State::Closed)
        return;
    const bool reads =
        m_state == State::Lingering || (m_session.wantsInput() && !m_clientDone && !m_session.isFinished());
    const bool writes = m_blocked || (m_state == State::Open && m_stream.writesFirst());
    const quint32 wanted = (reads ? quint32(EPOLLIN) : 0) | (writes ? quint32(EPOLLOUT) : 0);
    if (wanted == m_watched)
        return;
    m_watched = wanted;
    m_poll.change(m_stream.socket(), m_id, wanted);
}

} // namespace redrive
