#include "tests/support/garbage_server.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace redrive::test {

GarbageServer::GarbageServer(QByteArray garbage)
    : m_garbage(std::move(garbage)), m_listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(m_listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(m_listener, 64) != 0)
        std::abort();
    getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size);
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { run(); });
}

GarbageServer::~GarbageServer()
{
    shutdown(m_listener, SHUT_RDWR); // accept() returns
    m_thread.join();
    close(m_listener);
}

void GarbageServer::run()
{
    for (;;) {
        const int client = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0)
            return;
        ++m_connections;
        char buffer[4'096];
        if (recv(client, buffer, sizeof buffer, 0) > 0)
            (void)!send(client, m_garbage.constData(), size_t(m_garbage.size()), MSG_NOSIGNAL);
        close(client);
    }
}

} // namespace redrive::test
