// epoll with an eventfd to wake it, for sockets that are opened and closed through it. Interest that ends is
// dropped lazily: a kept-alive connection goes from one exchange to the next without a system call. All on
// one thread, but wake().
#pragma once

#include <QtGlobal>

#include <cstdint>
#include <sys/epoll.h>
#include <vector>

namespace redrive {

class SocketPoller final
{
public:
    struct Event
    {
        int socket;
        uint32_t events; // EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP
    };

    SocketPoller();
    ~SocketPoller();
    SocketPoller(const SocketPoller&) = delete;
    SocketPoller& operator=(const SocketPoller&) = delete;

    // `events` of EPOLLIN and EPOLLOUT; 0: none.
    void setInterest(int socket, uint32_t events);
    // Before the socket is closed.
    void forget(int socket);

    // Waits up to `timeoutMs` (-1: until something happens). The list is valid until the next call.
    const std::vector<Event>& wait(int timeoutMs);

    // Any thread.
    void wake();

private:
    struct Watched
    {
        uint32_t wanted = 0;
        uint32_t registered = 0;
    };

    Watched& watched(int socket);
    void apply(int socket, Watched& entry);

    int m_epoll = -1;
    int m_wakeUp = -1;
    std::vector<Watched> m_watched; // by file descriptor
    std::vector<epoll_event> m_raw;
    std::vector<Event> m_events;
};

} // namespace redrive
