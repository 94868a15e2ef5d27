#include "core/receiver/receiver_answer.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr qint64 kPiece = 65'536;

QByteArray wordFor(int status)
{
    return status < 300 ? QByteArray("ok\n") : "status " + QByteArray::number(status) + '\n';
}

bool hasBody(int status)
{
    return status != 204 && status != 304;
}

} // namespace

ReceiverAnswer::ReceiverAnswer(Behaviour behaviour, bool headOnly, bool closes, qint64 nowMs)
    : m_behaviour(std::move(behaviour)), m_headOnly(headOnly), m_closes(closes),
      m_nextMs(nowMs + m_behaviour.delayMs)
{
}

void ReceiverAnswer::begin()
{
    m_waits = false;
    const bool breaks = m_behaviour.breaks != Behaviour::Break::None;
    if (breaks && !m_behaviour.breaksInAnswer)
        return;
    m_rest =
        m_behaviour.bodyBytes < 0 ? m_behaviour.body.value_or(wordFor(m_behaviour.status)) : QByteArray();
    m_restBytes = m_behaviour.bodyBytes < 0 ? m_rest.size() : m_behaviour.bodyBytes;
    m_output = "HTTP/1.1 " + QByteArray::number(m_behaviour.status) + " \r\n"; // a reason phrase may be empty
    for (const auto& [name, value] : m_behaviour.headers)
        m_output += name + ": " + value + "\r\n";
    if (hasBody(m_behaviour.status))
        m_output += "Content-Type: " + m_behaviour.contentType +
                    "\r\nContent-Length: " + QByteArray::number(m_restBytes) + "\r\n";
    if (m_closes)
        m_output += "Connection: close\r\n";
    m_output += "\r\n";
    if (m_headOnly || !hasBody(m_behaviour.status))
        m_restBytes = 0;
    if (breaks)
        m_restBytes /= 2;
}

const QByteArray& ReceiverAnswer::output(qint64 nowMs)
{
    if (m_behaviour.hangs || !m_output.isEmpty() || nowMs < m_nextMs)
        return m_output;
    if (m_waits) {
        begin();
        m_nextMs = nowMs + m_behaviour.dripMs;
        if (m_behaviour.dripMs > 0)
            return m_output;
    }
    const qint64 most = m_behaviour.dripMs > 0 ? 1 : kPiece;
    const qint64 size = std::min(m_restBytes, most);
    if (size > 0) {
        m_output += m_rest.isEmpty() ? QByteArray(size, 'x') : m_rest.first(size);
        m_rest = m_rest.mid(size);
        m_restBytes -= size;
        m_nextMs = nowMs + m_behaviour.dripMs;
    }
    return m_output;
}

void ReceiverAnswer::sent(qsizetype bytes)
{
    m_output.remove(0, bytes);
}

std::optional<qint64> ReceiverAnswer::wakeAtMs() const
{
    if (m_behaviour.hangs || !m_output.isEmpty() || isFinished())
        return std::nullopt;
    return m_nextMs;
}

} // namespace redrive
