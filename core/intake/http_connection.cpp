#include "core/intake/http_connection.h"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace redrive {

namespace {
// Of one connection before the others have their turn.
constexpr int kReadsPerTurn = 4;
} // namespace

HttpConnection::HttpConnection(HttpService& service, SocketPoll& poll, int socket, quint64 id, qint64 nowMs)
    : m_poll(poll), m_socket(socket), m_id(id), m_session(service, id, nowMs),
      m_lingerMs(service.limits.lingerMs)
{
    m_watched = EPOLLIN;
    if (!m_poll.add(m_socket, m_id, m_watched))
        m_state = State::Closed;
}

HttpConnection::~HttpConnection()
{
    m_poll.remove(m_socket);
    ::close(m_socket);
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
        discard(scratch);
        return;
    }
    if (events & EPOLLOUT)
        m_blocked = false;
    if (events & EPOLLIN)
        read(scratch, nowMs);
    flush(nowMs);
}

void HttpConnection::read(std::span<char> scratch, qint64 nowMs)
{
    for (int turn = 0; turn < kReadsPerTurn && m_session.wantsInput() && !m_clientDone; ++turn) {
        const ssize_t got = ::recv(m_socket, scratch.data(), scratch.size(), 0);
        if (got > 0) {
            m_session.receive({scratch.data(), qsizetype(got)}, nowMs);
            if (std::size_t(got) < scratch.size())
                return;
        } else if (got == 0) {
            m_clientDone = true;
            m_session.endOfInput();
        } else {
            if (errno != EAGAIN && errno != EINTR)
                m_state = State::Closed;
            return;
        }
    }
}

void HttpConnection::flush(qint64 nowMs)
{
    while (m_state == State::Open && !m_blocked && !m_session.output().isEmpty()) {
        const QByteArray& output = m_session.output();
        const ssize_t taken = ::send(m_socket, output.constData(), std::size_t(output.size()), MSG_NOSIGNAL);
        if (taken >= 0)
            m_session.sent(taken, nowMs);
        else if (errno == EAGAIN)
            m_blocked = true;
        else if (errno != EINTR)
            m_state = State::Closed;
    }
    if (m_state == State::Open && m_session.isFinished() && m_session.output().isEmpty())
        finish(nowMs);
    watch();
}

// Closing at once with bytes unread would reset the connection, and the client could lose our answer.
void HttpConnection::finish(qint64 nowMs)
{
    if (m_clientDone || ::shutdown(m_socket, SHUT_WR) != 0) {
        m_state = State::Closed;
        return;
    }
    m_state = State::Lingering;
    m_lingerEnd = nowMs + m_lingerMs;
}

void HttpConnection::discard(std::span<char> scratch)
{
    const ssize_t got = ::recv(m_socket, scratch.data(), scratch.size(), 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        m_state = State::Closed;
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
    const quint32 wanted = (reads ? quint32(EPOLLIN) : 0) | (m_blocked ? quint32(EPOLLOUT) : 0);
    if (wanted == m_watched)
        return;
    m_watched = wanted;
    m_poll.change(m_socket, m_id, wanted);
}

} // namespace redrive
