// An epoll set: the front hands one descriptor to Qt's event loop instead of one per connection, because
// Qt's loops look at every descriptor at every wake-up. Not thread-safe.
#pragma once

#include <QtGlobal>

#include <array>
#include <sys/epoll.h>

namespace redrive {

class SocketPoll final
{
public:
    SocketPoll();
    ~SocketPoll();
    SocketPoll(const SocketPoll&) = delete;
    SocketPoll& operator=(const SocketPoll&) = delete;

    bool isOpen() const { return m_set >= 0; }
    // Readable when a socket of the set has something.
    int descriptor() const { return m_set; }

    bool add(int socket, quint64 id, quint32 events);
    void change(int socket, quint64 id, quint32 events);
    void remove(int socket);

    // Calls visit(id, events) for what is ready now, at most for 256 sockets; never waits.
    template <typename Visit>
    void visitReady(Visit visit)
    {
        std::array<epoll_event, 256> ready;
        const int count = epoll_wait(m_set, ready.data(), int(ready.size()), 0);
        for (int i = 0; i < count; ++i)
            visit(ready[std::size_t(i)].data.u64, ready[std::size_t(i)].events);
    }

private:
    int m_set = -1;
};

} // namespace redrive
