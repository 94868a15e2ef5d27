#include "core/net/response_buffer.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr qsizetype maxHeaders = 64 * 1024;
constexpr qsizetype maxBody = 64 * 1024;

} // namespace

bool ResponseBuffer::headersTooLarge() const
{
    return m_headerBytes > maxHeaders;
}

bool ResponseBuffer::takeHeader(QByteArrayView line)
{
    m_headerBytes += line.size();
    if (headersTooLarge())
        return false;
    if (m_headersComplete && line.startsWith("HTTP/")) {
        // What came before was an informational answer (1xx).
        m_headers.clear();
        m_headersComplete = false;
    }
    if (m_headersComplete)
        return true;
    if (line == "\r\n" || line == "\n") {
        m_headersComplete = true;
        return true;
    }
    if (m_headers.isEmpty())
        m_headers.reserve(512);
    m_headers.append(line);
    return true;
}

bool ResponseBuffer::takeBody(QByteArrayView part)
{
    const qsizetype room = maxBody - m_body.size();
    m_body.append(part.first(std::min(room, part.size())));
    m_bodyCut = part.size() > room;
    return !m_bodyCut;
}

std::optional<QByteArray> ResponseBuffer::field(QByteArrayView name) const
{
    qsizetype start = 0;
    while (start < m_headers.size()) {
        qsizetype end = m_headers.indexOf('\n', start);
        if (end < 0)
            end = m_headers.size();
        const QByteArrayView line(m_headers.constData() + start, end - start);
        if (line.size() > name.size() && line[name.size()] == ':' &&
            line.first(name.size()).compare(name, Qt::CaseInsensitive) == 0)
            return line.sliced(name.size() + 1).trimmed().toByteArray();
        start = end + 1;
    }
    return std::nullopt;
}

} // namespace redrive
