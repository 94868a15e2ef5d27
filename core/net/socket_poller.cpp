#include "core/net/socket_poller.h"

#include <cerrno>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace redrive {

namespace {

constexpr size_t eventsPerWait = 16;

int checked(int descriptor, const char* what)
{
    if (descriptor < 0)
        throw std::system_error(errno, std::generic_category(), what);
    return descriptor;
}

void closeIfOpen(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}

} // namespace

SocketPoller::SocketPoller() : m_raw(eventsPerWait)
{
    try {
        m_epoll = checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
        m_wakeUp = checked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd");
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = m_wakeUp;
        checked(epoll_ctl(m_epoll, EPOLL_CTL_ADD, m_wakeUp, &event), "epoll_ctl");
    } catch (...) { // no destructor follows
        closeIfOpen(m_wakeUp);
        closeIfOpen(m_epoll);
        throw;
    }
}

SocketPoller::~SocketPoller()
{
    closeIfOpen(m_wakeUp);
    closeIfOpen(m_epoll);
}

SocketPoller::Watched& SocketPoller::watched(int socket)
{
    if (size_t(socket) >= m_watched.size())
        m_watched.resize(size_t(socket) + 64);
    return m_watched[size_t(socket)];
}

void SocketPoller::setInterest(int socket, uint32_t events)
{
    Watched& entry = watched(socket);
    entry.wanted = events;
    // Losing interest costs nothing until the socket speaks up; wait() sees to that.
    if (events != 0 && events != entry.registered)
        apply(socket, entry);
}

void SocketPoller::apply(int socket, Watched& entry)
{
    epoll_event event{};
    event.events = entry.wanted;
    event.data.fd = socket;
    if (entry.wanted == 0) {
        epoll_ctl(m_epoll, EPOLL_CTL_DEL, socket, &event);
    } else if (epoll_ctl(m_epoll, entry.registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event) != 0) {
        // libcurl closes a few descriptors of its own without telling: what we remember may be of an older
        // one.
        epoll_ctl(m_epoll, errno == ENOENT ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
    }
    entry.registered = entry.wanted;
}

void SocketPoller::forget(int socket)
{
    Watched& entry = watched(socket);
    entry.wanted = 0;
    if (entry.registered != 0)
        apply(socket, entry);
}

const std::vector<SocketPoller::Event>& SocketPoller::wait(int timeoutMs)
{
    m_events.clear();
    const int count = epoll_wait(m_epoll, m_raw.data(), int(m_raw.size()), timeoutMs);
    for (int i = 0; i < count; ++i) {
        const int socket = m_raw[size_t(i)].data.fd;
        if (socket == m_wakeUp) {
            uint64_t ignored = 0;
            [[maybe_unused]] const auto bytes = read(m_wakeUp, &ignored, sizeof ignored);
            continue;
        }
        Watched& entry = watched(socket);
        if (entry.wanted == 0)
            apply(socket, entry);
        else
            m_events.push_back({socket, m_raw[size_t(i)].events});
    }
    return m_events;
}

void SocketPoller::wake()
{
    const uint64_t one = 1;
    [[maybe_unused]] const auto bytes = write(m_wakeUp, &one, sizeof one);
}

} // namespace redrive
