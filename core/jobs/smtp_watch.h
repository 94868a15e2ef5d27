// Ends what libcurl waits for in an SMTP exchange. It waits by itself for the answer to the mail's last dot
// and to its QUIT, up to two minutes each, and looks at nothing meanwhile: a thread of its own cuts its
// connections then. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <curl/curl.h>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

namespace redrive {

class SmtpWatch final
{
public:
    using Time = std::chrono::steady_clock::time_point;

    enum class Cut {
        No,
        Stopped,
        TimeLimit,
        Goodbye, // the mail was settled, and the server did not answer QUIT
    };

    // `goOn` is asked every 50 ms, in the watch's thread.
    SmtpWatch(std::function<bool()> goOn, Time until);
    ~SmtpWatch();
    SmtpWatch(const SmtpWatch&) = delete;
    SmtpWatch& operator=(const SmtpWatch&) = delete;

    // Woken when it is cut; until forgotten with nullptr.
    void setMulti(CURLM* multi);
    // The server has taken or refused the mail: stop and time limit change nothing any more, its goodbye has
    // a second.
    void settled();
    Cut cut() const;

    // libcurl's sockets. Closing under the lock keeps a number from becoming another's before it is cut.
    static curl_socket_t openSocket(void* self, curlsocktype purpose, curl_sockaddr* address);
    static int closeSocket(void* self, curl_socket_t socket);

private:
    void watch();
    Cut due() const;

    const std::function<bool()> m_goOn;
    mutable std::mutex m_mutex; // guards the rest
    std::condition_variable m_wake;
    Time m_until;
    bool m_settled = false;
    bool m_ended = false;
    Cut m_cut = Cut::No;
    CURLM* m_multi = nullptr;
    std::set<curl_socket_t> m_sockets;
    std::thread m_thread; // last
};

} // namespace redrive
