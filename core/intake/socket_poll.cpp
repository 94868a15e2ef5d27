#include "core/intake/socket_poll.h"

#include <unistd.h>

namespace redrive {

SocketPoll::SocketPoll() : m_set(epoll_create1(EPOLL_CLOEXEC)) {}

SocketPoll::~SocketPoll()
{
    if (m_set >= 0)
        ::close(m_set);
}

bool SocketPoll::add(int socket, quint64 id, quint32 events)
{
    epoll_event event{.events = events, .data = {.u64 = id}};
    return epoll_ctl(m_set, EPOLL_CTL_ADD, socket, &event) == 0;
}

void SocketPoll::change(int socket, quint64 id, quint32 events)
{
    epoll_event event{.events = events, .data = {.u64 = id}};
    epoll_ctl(m_set, EPOLL_CTL_MOD, socket, &event);
}

void SocketPoll::remove(int socket)
{
    epoll_ctl(m_set, EPOLL_CTL_DEL, socket, nullptr);
}

} // namespace redrive
