// A session on a socket: reads when the session wants input, writes once per burst, and ends in a way that
// lets the client read the last answer. Intake thread.
#pragma once

#include "core/intake/http_session.h"
#include "core/intake/socket_poll.h"
#include "core/intake/socket_stream.h"

namespace redrive {

class HttpConnection final
{
public:
    struct Origin
    {
        int socket = -1; // non-blocking; taken over
        std::shared_ptr<const TlsContext> tls;
        ClientAddress client;
    };
    HttpConnection(HttpService& service, SocketPoll& poll, Origin origin, quint64 id, qint64 nowMs);
    ~HttpConnection(); // closes
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;

    void onEvents(quint32 events, std::span<char> scratch, qint64 nowMs);
    // Sends what the session has to say, and goes on to its end.
    void flush(qint64 nowMs);
    void tick(qint64 nowMs);

    HttpSession& session() { return m_session; }
    const ClientAddress& client() const { return m_client; }
    bool isClosed() const { return m_state == State::Closed; }
    // Was told that there is no room; not one of those counted.
    void markSurplus(qint64 lingerMs);
    bool isSurplus() const { return m_surplus; }

private:
    enum class State { Open, Lingering, Closed };

    void read(std::span<char> scratch, qint64 nowMs);
    void finish(qint64 nowMs);
    void watch();

    SocketPoll& m_poll;
    const ClientAddress m_client;
    SocketStream m_stream;
    const quint64 m_id;
    HttpSession m_session;
    State m_state = State::Open;
    quint32 m_watched = 0;
    bool m_blocked = false; // the socket took less than there is
    bool m_clientDone = false;
    bool m_surplus = false;
    qint64 m_lingerMs;
    qint64 m_lingerEnd = 0;
};

} // namespace redrive
