#include "tests/bench/sink_server.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <string>

namespace redrive::bench {

namespace {

// Answers each request complete in the text and drops it from there.
void answer(int fd, std::string& text)
{
    static const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    std::string answers;
    for (;;) {
        const size_t end = text.find("\r\n\r\n");
        if (end == std::string::npos)
            break;
        size_t at = text.find("ontent-Length: ");
        if (at == std::string::npos)
            at = text.find("ontent-length: ");
        const size_t body = at == std::string::npos ? 0 : size_t(std::atoi(text.c_str() + at + 15));
        if (text.size() < end + 4 + body)
            break;
        text.erase(0, end + 4 + body);
        answers += ok;
    }
    if (!answers.empty() && write(fd, answers.data(), answers.size()) < 0)
        close(fd);
}

[[noreturn]] void serve(int listener)
{
    const int poll = epoll_create1(0);
    std::map<int, std::string> texts;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = listener;
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    epoll_event events[256];
    for (;;) {
        const int ready = epoll_wait(poll, events, 256, -1);
        for (int i = 0; i < ready; ++i) {
            const int fd = events[i].data.fd;
            if (fd == listener) {
                event.data.fd = accept(listener, nullptr, nullptr);
                epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
                continue;
            }
            char buffer[65'536];
            const ssize_t bytes = read(fd, buffer, sizeof buffer);
            if (bytes <= 0) {
                close(fd);
                texts.erase(fd);
                continue;
            }
            texts[fd].append(buffer, size_t(bytes));
            answer(fd, texts[fd]);
        }
    }
}

} // namespace

SinkServer::SinkServer()
{
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener, 1024) != 0)
        std::abort();
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    m_port = ntohs(address.sin_port);
    m_child = fork();
    if (m_child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(listener);
    }
    close(listener);
}

SinkServer::~SinkServer()
{
    kill(m_child, SIGKILL);
    waitpid(m_child, nullptr, 0);
}

} // namespace redrive::bench
