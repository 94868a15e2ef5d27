// The bytes of a connected, non-blocking socket, plain or through TLS. The handshake happens within read().
// Intake thread.
#pragma once

#include "core/intake/tls_context.h"

#include <span>

struct ssl_st;

namespace redrive {

class SocketStream final
{
public:
    enum class Outcome {
        Moved, // bytes > 0
        Waits, // for more from the socket, or (writesFirst()) for room in it
        Ended, // the other side sends no more; read() only
        Failed,
    };
    struct Step
    {
        Outcome outcome = Outcome::Failed;
        qsizetype bytes = 0;
    };

    // Takes over the socket. Without a context: plain.
    SocketStream(int socket, std::shared_ptr<const TlsContext> tls);
    ~SocketStream(); // closes
    SocketStream(const SocketStream&) = delete;
    SocketStream& operator=(const SocketStream&) = delete;

    // `into` must hold a TLS record (16 KiB): nothing is left behind that the socket does not show.
    Step read(std::span<char> into);
    Step write(std::span<const char> bytes);
    // read() waits until the socket takes bytes: the handshake has something to say.
    bool writesFirst() const { return m_writesFirst; }
    // False while the handshake lasts: nothing can be written yet.
    bool isReady() const;
    // Tells the other side that nothing follows. False: it is gone.
    bool endOutput();
    // Reads whatever comes and forgets it. False: the other side is done too.
    bool discard(std::span<char> scratch);

    int socket() const { return m_socket; }

private:
    Step tlsStep(int result);

    const int m_socket;
    const std::shared_ptr<const TlsContext> m_tls;
    ssl_st* m_ssl = nullptr;
    bool m_writesFirst = false;
};

} // namespace redrive
