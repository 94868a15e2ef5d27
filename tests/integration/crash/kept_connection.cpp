#include "tests/integration/crash/kept_connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace redrive::test {

namespace {
constexpr timeval kPatience{10, 0};
}

bool KeptConnection::open(quint16 port)
{
    close();
    m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return true;
    close();
    return false;
}

void KeptConnection::close()
{
    if (m_socket >= 0)
        ::close(m_socket);
    m_socket = -1;
    m_buffer.clear();
}

KeptConnection::Answer KeptConnection::post(const QByteArray& path, const QByteArray& body,
                                            const QByteArray& headers)
{
    const QByteArray request = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers +
                               "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    Answer answer;
    if (::send(m_socket, request.constData(), size_t(request.size()), MSG_NOSIGNAL) == request.size())
        answer = readAnswer();
    if (answer.status == 0)
        close();
    return answer;
}

KeptConnection::Answer KeptConnection::readAnswer()
{
    for (;;) {
        const qsizetype headEnd = m_buffer.indexOf("\r\n\r\n");
        if (headEnd >= 0) {
            const QByteArray head = m_buffer.left(headEnd);
            const qsizetype at = head.indexOf("Content-Length: ");
            const QByteArray length = head.mid(at + 16, head.indexOf('\r', at) - at - 16);
            const qsizetype end = headEnd + 4 + length.toInt();
            if (at >= 0 && m_buffer.size() >= end) {
                const Answer answer{head.mid(9, 3).toInt(), m_buffer.mid(headEnd + 4, length.toInt())};
                m_buffer.remove(0, end);
                if (head.contains("Connection: close"))
                    close();
                return answer;
            }
        }
        char bytes[4096];
        const ssize_t got = ::recv(m_socket, bytes, sizeof bytes, 0);
        if (got <= 0)
            return {};
        m_buffer.append(bytes, got);
    }
}

} // namespace redrive::test
