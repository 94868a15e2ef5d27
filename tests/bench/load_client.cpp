#include "tests/bench/load_client.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

namespace redrive::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct Connection
{
    int fd = -1;
    std::string answer;
    Clock::time_point sentAt;
};

int connectTo(quint16 port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
        std::_Exit(3);
    return fd;
}

// The length of a complete answer at the front of the text, or 0.
size_t completeAnswer(const std::string& text)
{
    const size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos)
        return 0;
    const size_t at = text.find("ontent-Length: ");
    const size_t body = at == std::string::npos || at > end ? 0 : size_t(std::atoi(text.c_str() + at + 15));
    return text.size() >= end + 4 + body ? end + 4 + body : 0;
}

class Load
{
public:
    Load(const LoadPlan& plan, quint16 port) : m_plan(plan)
    {
        addRequest(plan.body);
        for (const QByteArray& body : plan.more)
            addRequest(body);
        m_poll = epoll_create1(EPOLL_CLOEXEC);
        m_connections.resize(size_t(plan.connections));
        for (size_t i = 0; i < m_connections.size(); ++i) {
            m_connections[i].fd = connectTo(port);
            epoll_event event{};
            event.events = EPOLLIN;
            event.data.u64 = i;
            epoll_ctl(m_poll, EPOLL_CTL_ADD, m_connections[i].fd, &event);
        }
    }

    LoadResult run()
    {
        const auto began = Clock::now();
        for (Connection& connection : m_connections)
            send(connection);
        epoll_event events[64];
        while (m_answered < m_sent) {
            const int ready = epoll_wait(m_poll, events, 64, 30'000);
            if (ready <= 0)
                break;
            for (int i = 0; i < ready; ++i)
                read(m_connections[events[i].data.u64]);
        }
        m_result.seconds = std::chrono::duration<double>(Clock::now() - began).count();
        std::sort(m_latencies.begin(), m_latencies.end());
        if (!m_latencies.empty()) {
            m_result.p50Ms = m_latencies[m_latencies.size() / 2] / 1000.0;
            m_result.p99Ms = m_latencies[m_latencies.size() * 99 / 100] / 1000.0;
        }
        return m_result;
    }

private:
    void addRequest(const QByteArray& body)
    {
        m_requests.push_back("POST " + m_plan.path.toStdString() + " HTTP/1.1\r\nHost: localhost\r\n" +
                             m_plan.headers.toStdString() +
                             "Content-Type: application/json\r\nContent-Length: " +
                             std::to_string(body.size()) + "\r\n\r\n" + body.toStdString());
    }

    void send(Connection& connection)
    {
        if (m_sent >= m_plan.requests)
            return;
        const std::string& request = m_requests[size_t(m_sent) % m_requests.size()];
        ++m_sent;
        connection.sentAt = Clock::now();
        for (size_t done = 0; done < request.size();) {
            const ssize_t step = write(connection.fd, request.data() + done, request.size() - done);
            if (step <= 0)
                std::_Exit(4);
            done += size_t(step);
        }
    }

    void read(Connection& connection)
    {
        char buffer[16'384];
        const ssize_t bytes = ::read(connection.fd, buffer, sizeof buffer);
        if (bytes <= 0)
            std::_Exit(5);
        connection.answer.append(buffer, size_t(bytes));
        while (const size_t length = completeAnswer(connection.answer)) {
            ++m_answered;
            m_latencies.push_back(
                std::chrono::duration<double, std::micro>(Clock::now() - connection.sentAt).count());
            if (connection.answer.compare(9, 1, "2") == 0)
                ++m_result.accepted;
            else
                ++m_result.other;
            // the server ends a connection after its limit of requests and says so
            const bool closes =
                connection.answer.substr(0, length).find("onnection: close") != std::string::npos;
            connection.answer.erase(0, length);
            if (closes)
                reconnect(connection);
            send(connection);
        }
    }

    void reconnect(Connection& connection)
    {
        sockaddr_in address{};
        socklen_t size = sizeof address;
        getpeername(connection.fd, reinterpret_cast<sockaddr*>(&address), &size);
        const int fd = connectTo(ntohs(address.sin_port));
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = quint64(&connection - m_connections.data());
        close(connection.fd);
        connection.fd = fd;
        epoll_ctl(m_poll, EPOLL_CTL_ADD, fd, &event);
    }

    const LoadPlan& m_plan;
    std::vector<std::string> m_requests;
    int m_poll = -1;
    std::vector<Connection> m_connections;
    std::vector<double> m_latencies; // microseconds
    int m_sent = 0;
    int m_answered = 0;
    LoadResult m_result;
};

} // namespace

LoadClient::LoadClient(const LoadPlan& plan)
{
    int down[2];
    int up[2];
    if (pipe(down) != 0 || pipe(up) != 0)
        std::abort();
    m_child = fork();
    if (m_child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(down[1]);
        quint16 port = 0;
        if (read(down[0], &port, sizeof port) != sizeof port)
            std::_Exit(0);
        const LoadResult result = Load(plan, port).run();
        const ssize_t written = write(up[1], &result, sizeof result);
        std::_Exit(written == sizeof result ? 0 : 2);
    }
    close(down[0]);
    close(up[1]);
    m_toChild = down[1];
    m_fromChild = up[0];
}

LoadClient::~LoadClient()
{
    close(m_toChild);
    close(m_fromChild);
    if (m_child > 0)
        waitpid(m_child, nullptr, 0);
}

void LoadClient::start(quint16 port)
{
    if (write(m_toChild, &port, sizeof port) != sizeof port)
        std::abort();
}

LoadResult LoadClient::wait()
{
    LoadResult result;
    if (read(m_fromChild, &result, sizeof result) != sizeof result)
        qFatal("the load generator ended without a result");
    return result;
}

} // namespace redrive::bench
