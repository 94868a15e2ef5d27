// The HTTP front: sockets, parsing, limits and routes in a thread of its own.
// Everything that touches jobs goes through the IntakePort. Any thread, but not several at once.
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/intake/http_limits.h"

#include <QStringList>

#include <memory>
#include <optional>

namespace redrive {

class IntakePort;

struct HttpOptions
{
    QString listen = QStringLiteral("127.0.0.1:8787"); // loopback only; [::1]:8787 and localhost:8787 too
    QStringList hosts; // further names that Host may carry, with or without a port
    // SHA-256 of the tokens that open /jobs and /metrics (bearerTokenHash()); nothing: no token is needed; an
    // empty list is refused.
    std::optional<QList<QByteArray>> tokenHashes;
    QStringList processFileRoots;
    HttpLimits limits;
};

// Since the start. Read from any thread; the values need not be of one moment.
struct HttpFigures
{
    quint64 connections = 0;
    quint64 surplusConnections = 0;
    quint64 requests = 0;
    quint64 refused = 0; // answers of 400 and above
    quint64 openConnections = 0;
};

// An empty token gives an empty hash, which start() refuses.
QByteArray bearerTokenHash(QByteArrayView token);

class HttpServer final
{
public:
    // Both must outlive the server.
    HttpServer(Clock& clock, IntakePort& port);
    ~HttpServer(); // stops
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    // Listens before it returns. InvalidInput: the address or a token cannot be used; Conflict: the port is
    // taken; Refused: no loopback address, or started before.
    Status start(const HttpOptions& options);
    // The port that is listened on; 0 before start().
    quint16 port() const { return m_port; }
    QString address() const { return m_address; } // "127.0.0.1:8787"

    // New requests get 503 shutting_down and their connection closes; answers still due are delivered.
    void beginStop();
    // Delivers the answers that are there, closes everything and joins the thread. Idempotent; callbacks of
    // the port may still come afterwards.
    void stop();

    HttpFigures figures() const;

private:
    class Thread;
    Clock& m_clock;
    IntakePort& m_intake;
    std::unique_ptr<Thread> m_thread;
    quint16 m_port = 0;
    QString m_address;
};

} // namespace redrive
