// One connection of the receiver: requests in, one after the other, and what the desk decides out. The
// receiver's thread.
#pragma once

#include "core/intake/http_parser.h"
#include "core/intake/socket_poll.h"
#include "core/intake/socket_stream.h"
#include "core/receiver/receiver_answer.h"
#include "core/receiver/receiver_desk.h"

namespace redrive {

class ReceiverConnection final
{
public:
    static constexpr qint64 kIdleMs = 60'000; // without a byte in either direction
    static constexpr qint64 kLingerMs = 2'000;

    struct Shared
    {
        ReceiverDesk& desk;
        SocketPoll& poll;
        const HttpLimits& limits;
    };
    // Takes over the socket, which does not block.
    ReceiverConnection(const Shared& shared, int socket, std::shared_ptr<const TlsContext> tls, quint64 id,
                       qint64 nowMs);
    ~ReceiverConnection(); // closes
    ReceiverConnection(const ReceiverConnection&) = delete;
    ReceiverConnection& operator=(const ReceiverConnection&) = delete;

    void onEvents(quint32 events, std::span<char> scratch, qint64 nowMs);
    // To be called at wakeAtMs(), steady; earlier calls do nothing.
    void onTime(qint64 nowMs);
    qint64 wakeAtMs() const;
    bool isClosed() const { return m_state == State::Closed; }

private:
    enum class State { Reading, Answering, Lingering, Closed };

    void read(std::span<char> scratch, qint64 nowMs);
    void goOn(qint64 nowMs);
    bool takeRequest(qint64 nowMs);
    void onHead(QByteArrayView raw);
    void refuse(const HttpProblem& problem, qint64 nowMs);
    void flush(qint64 nowMs);
    void finishAnswer(qint64 nowMs);
    void linger(qint64 nowMs);
    void reset();
    void watch();

    const Shared m_shared;
    SocketStream m_stream;
    const quint64 m_id;
    HttpParser m_parser;
    State m_state = State::Reading;
    QByteArray m_input; // received, not read yet
    ReceivedHead m_head;
    bool m_keepAlive = true;
    std::optional<ReceiverAnswer> m_answer;
    QByteArray m_interim; // "100 Continue"
    bool m_blocked = false;
    bool m_clientDone = false;
    quint32 m_watched = 0;
    qint64 m_lastMoveMs;
};

} // namespace redrive
