// A webhook receiver for tests and trials: an HTTP server on loopback that answers as it is told
// (behaviour.h, receiver_script.h), checks signatures and tells of what arrives. It has a thread of its own;
// any thread.
#pragma once

#include "core/intake/tls_context.h"
#include "core/receiver/receiver_desk.h"

#include <thread>

namespace redrive {

struct ReceiverOptions
{
    quint16 port = 0;                      // 0: a free one
    bool ipv6 = false;                     // [::1] instead of 127.0.0.1
    std::shared_ptr<const TlsContext> tls; // nothing: plain HTTP
    ReceiverDesk::Setup desk;              // its functions are called in the receiver's thread
};

class ReceiverLoop;

class Receiver final
{
public:
    static constexpr int kMostConnections = 1'000; // beyond them one is closed at once
    static constexpr qint64 kMostRequestBytes = 1'048'576;

    // Conflict: another program has the port. InvalidInput: the script file cannot be used. Internal: the
    // system gives no more descriptors.
    static Result<std::unique_ptr<Receiver>> start(ReceiverOptions options);
    ~Receiver(); // ends at once; what is under way is closed
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;

    quint16 port() const { return m_port; }
    // "http://127.0.0.1:PORT/path"
    QString url(const QString& path) const;
    ReceiverDesk& desk() { return *m_desk; }

private:
    Receiver(int listener, ReceiverOptions options);
    Status makeLoop();

    int m_listener;
    int m_wakeUp = -1;
    const ReceiverOptions m_options;
    quint16 m_port = 0;
    SystemClock m_clock;
    std::unique_ptr<ReceiverDesk> m_desk;
    std::unique_ptr<ReceiverLoop> m_loop; // runs in the thread
    std::thread m_thread;
};

} // namespace redrive
