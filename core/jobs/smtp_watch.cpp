#include "core/jobs/smtp_watch.h"

#include <sys/socket.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr std::chrono::milliseconds kLook{50};
constexpr std::chrono::milliseconds kGoodbye{1'000};

} // namespace

SmtpWatch::SmtpWatch(std::function<bool()> goOn, Time until) : m_goOn(std::move(goOn)), m_until(until)
{
    m_thread = std::thread([this] { watch(); });
}

SmtpWatch::~SmtpWatch()
{
    {
        std::lock_guard lock(m_mutex);
        m_ended = true;
        m_wake.notify_one();
    }
    m_thread.join();
}

void SmtpWatch::setMulti(CURLM* multi)
{
    std::lock_guard lock(m_mutex);
    m_multi = multi;
}

void SmtpWatch::settled()
{
    std::lock_guard lock(m_mutex);
    if (m_settled)
        return;
    m_settled = true;
    m_until = std::chrono::steady_clock::now() + kGoodbye;
}

SmtpWatch::Cut SmtpWatch::cut() const
{
    std::lock_guard lock(m_mutex);
    return m_cut;
}

SmtpWatch::Cut SmtpWatch::due() const
{
    const bool late = std::chrono::steady_clock::now() >= m_until;
    if (m_settled)
        return late ? Cut::Goodbye : Cut::No;
    if (!m_goOn())
        return Cut::Stopped;
    return late ? Cut::TimeLimit : Cut::No;
}

void SmtpWatch::watch()
{
    std::unique_lock lock(m_mutex);
    while (!m_ended && m_cut == Cut::No) {
        m_cut = due();
        if (m_cut == Cut::No)
            m_wake.wait_for(lock, kLook, [this] { return m_ended; });
    }
    if (m_cut == Cut::No)
        return;
    for (const curl_socket_t socket : m_sockets)
        shutdown(socket, SHUT_RDWR);
    if (m_multi)
        curl_multi_wakeup(m_multi);
}

curl_socket_t SmtpWatch::openSocket(void* self, curlsocktype, curl_sockaddr* address)
{
    auto* watch = static_cast<SmtpWatch*>(self);
    std::lock_guard lock(watch->m_mutex);
    if (watch->m_cut != Cut::No)
        return CURL_SOCKET_BAD;
    const curl_socket_t opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (opened != CURL_SOCKET_BAD)
        watch->m_sockets.insert(opened);
    return opened;
}

int SmtpWatch::closeSocket(void* self, curl_socket_t socket)
{
    auto* watch = static_cast<SmtpWatch*>(self);
    std::lock_guard lock(watch->m_mutex);
    watch->m_sockets.erase(socket);
    return close(socket);
}

} // namespace redrive
