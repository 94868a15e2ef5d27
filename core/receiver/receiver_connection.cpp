#include "core/receiver/receiver_connection.h"

#include "core/intake/host_rules.h"

#include <sys/socket.h>

namespace redrive {

namespace {

QByteArray bytesOf(QByteArrayView view)
{
    return {view.data(), view.size()};
}

// Of a head that the parser has passed: a request line, then fields.
HeaderFields fieldsOf(QByteArrayView raw)
{
    HeaderFields fields;
    for (QByteArray line : bytesOf(raw).split('\n')) {
        const qsizetype colon = line.indexOf(':');
        const qsizetype space = line.indexOf(' ');
        const bool isField = colon > 0 && (space < 0 || space > colon);
        if (isField)
            fields.append({line.first(colon), line.mid(colon + 1).trimmed()});
    }
    return fields;
}

} // namespace

ReceiverConnection::ReceiverConnection(const Shared& shared, int socket,
                                       std::shared_ptr<const TlsContext> tls, quint64 id, qint64 nowMs)
    : m_shared(shared), m_stream(socket, std::move(tls)), m_id(id), m_parser(shared.limits),
      m_watched(EPOLLIN), m_lastMoveMs(nowMs)
{
    if (!m_shared.poll.add(m_stream.socket(), m_id, m_watched))
        m_state = State::Closed;
}

ReceiverConnection::~ReceiverConnection()
{
    m_shared.poll.remove(m_stream.socket());
}

void ReceiverConnection::onEvents(quint32 events, std::span<char> scratch, qint64 nowMs)
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
    if (events & EPOLLRDHUP && m_state == State::Answering) {
        m_clientDone = true;
        if (m_answer->behaviour().hangs) {
            m_state = State::Closed;
            return;
        }
    }
    if (m_state == State::Reading && (events & EPOLLIN || (events & EPOLLOUT && m_stream.writesFirst())))
        read(scratch, nowMs);
    goOn(nowMs);
}

void ReceiverConnection::onTime(qint64 nowMs)
{
    if (nowMs < wakeAtMs())
        return;
    const bool due = m_state == State::Answering && m_answer->wakeAtMs();
    if (due)
        goOn(nowMs);
    else
        m_state = State::Closed;
}

qint64 ReceiverConnection::wakeAtMs() const
{
    if (m_state == State::Lingering)
        return m_lastMoveMs + kLingerMs;
    if (m_state == State::Answering && m_answer->behaviour().hangs)
        return m_lastMoveMs + kLongestDelayMs;
    const auto wake = m_state == State::Answering ? m_answer->wakeAtMs() : std::nullopt;
    return wake.value_or(m_lastMoveMs + kIdleMs);
}

void ReceiverConnection::read(std::span<char> scratch, qint64 nowMs)
{
    const SocketStream::Step step = m_stream.read(scratch);
    if (step.outcome == SocketStream::Outcome::Moved) {
        m_input.append(scratch.data(), step.bytes);
        m_lastMoveMs = nowMs;
    } else if (step.outcome != SocketStream::Outcome::Waits) {
        m_state = State::Closed; // nothing is owed to it
    }
}

// Requests are answered one after the other, as long as neither the peer nor time is to be waited for.
void ReceiverConnection::goOn(qint64 nowMs)
{
    do {
        if (m_state == State::Answering)
            flush(nowMs);
    } while (m_state == State::Reading && takeRequest(nowMs));
    if (m_state == State::Reading && m_clientDone)
        m_state = State::Closed;
    watch();
}

// False: more bytes are needed.
bool ReceiverConnection::takeRequest(qint64 nowMs)
{
    qsizetype used = 0;
    bool taken = false;
    while (!taken) {
        qsizetype consumed = 0;
        const QByteArrayView rest = QByteArrayView(m_input).sliced(used);
        const HttpParser::Event event = m_parser.advance(rest, consumed);
        used += consumed;
        if (event == HttpParser::Event::NeedMore)
            break;
        if (event == HttpParser::Event::Head) {
            onHead(rest.first(consumed));
            const quint64 most = quint64(m_shared.limits.bodyBytes);
            if (m_parser.head().contentLength.value_or(0) <= most)
                continue;
            refuse(problem::bodyTooLarge(qint64(most)), nowMs);
            taken = true;
            break;
        }
        taken = true;
        if (event == HttpParser::Event::Failed) {
            refuse(m_parser.problem(), nowMs);
            break;
        }
        m_keepAlive = m_parser.keepAlive();
        const Behaviour behaviour = m_shared.desk.take(m_head, bytesOf(m_parser.body()));
        m_answer.emplace(behaviour, m_head.method == "HEAD", !m_keepAlive, nowMs);
        m_state = State::Answering;
        m_parser.reset();
    }
    m_input.remove(0, used);
    if (m_state == State::Reading && !m_interim.isEmpty())
        flush(nowMs);
    return taken;
}

void ReceiverConnection::onHead(QByteArrayView raw)
{
    static const HostRules rules({}, {});
    const HttpHead& head = m_parser.head();
    m_head.method = bytesOf(head.method);
    m_head.target = bytesOf(head.target);
    m_head.fields = fieldsOf(raw);
    m_head.text = bytesOf(raw);
    m_head.ofOurs = rules.accepts(head.field(HttpField::Host)) && HostRules::sameSite(head);
    if (head.has(HttpField::Expect) && head.minorVersion > 0 && head.hasBody())
        m_interim = "HTTP/1.1 100 Continue\r\n\r\n";
}

void ReceiverConnection::refuse(const HttpProblem& problem, qint64 nowMs)
{
    m_shared.desk.noteRefused(problem.status, problem.text);
    Behaviour behaviour;
    behaviour.status = problem.status;
    behaviour.body = problem.text.toUtf8() + '\n';
    m_keepAlive = false;
    m_answer.emplace(behaviour, false, true, nowMs);
    m_state = State::Answering;
}

void ReceiverConnection::flush(qint64 nowMs)
{
    while (!m_blocked) {
        const QByteArray& output = m_interim.isEmpty() && m_answer ? m_answer->output(nowMs) : m_interim;
        if (output.isEmpty())
            break;
        const SocketStream::Step step = m_stream.write({output.constData(), std::size_t(output.size())});
        if (step.outcome == SocketStream::Outcome::Waits) {
            m_blocked = true;
        } else if (step.outcome != SocketStream::Outcome::Moved) {
            m_state = State::Closed;
            return;
        } else {
            m_lastMoveMs = nowMs;
            if (m_interim.isEmpty())
                m_answer->sent(step.bytes);
            else
                m_interim.remove(0, step.bytes);
        }
    }
    if (m_answer && m_answer->isFinished() && !m_blocked)
        finishAnswer(nowMs);
}

void ReceiverConnection::finishAnswer(qint64 nowMs)
{
    const Behaviour::Break breaks = m_answer->behaviour().breaks;
    m_answer.reset();
    if (breaks == Behaviour::Break::Reset)
        reset();
    if (breaks != Behaviour::Break::None)
        m_state = State::Closed;
    else if (!m_keepAlive)
        linger(nowMs);
    else
        m_state = State::Reading;
}

// Closing with bytes unread would reset the connection, and the client could lose the answer.
void ReceiverConnection::linger(qint64 nowMs)
{
    m_lastMoveMs = nowMs;
    m_state = m_stream.endOutput() ? State::Lingering : State::Closed;
}

void ReceiverConnection::reset()
{
    const struct ::linger now
    {
        1, 0
    };
    ::setsockopt(m_stream.socket(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

void ReceiverConnection::watch()
{
    if (m_state == State::Closed)
        return;
    quint32 wanted = 0;
    if (m_state == State::Reading || m_state == State::Lingering)
        wanted |= EPOLLIN;
    else if (!m_clientDone)
        wanted |= EPOLLRDHUP;
    if (m_blocked || m_stream.writesFirst())
        wanted |= EPOLLOUT;
    if (wanted == m_watched)
        return;
    m_watched = wanted;
    m_shared.poll.change(m_stream.socket(), m_id, wanted);
}

} // namespace redrive
