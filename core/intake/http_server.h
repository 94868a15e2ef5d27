// The HTTP front: sockets, parsing, limits and routes in a thread of its own.
// Everything that touches jobs goes through the IntakePort. Any thread, but not several at once.
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/intake/access_rules.h"
#include "core/intake/http_limits.h"
#include "core/intake/tls_keeper.h"

#include <QStringList>

#include <memory>
#include <optional>

namespace redrive {

class IntakePort;

struct HttpOptions
{
    QString listen = QStringLiteral("127.0.0.1:8787");
    QString listenTls;           // empty: no TLS
    TlsFiles tls;                // of listenTls
    int tlsLookMs = 10'000;      // how often the files are looked at
    bool insecureListen = false; // addresses beyond loopback also without TLS and without tokens
    QStringList hosts;           // further names that Host may carry, with or without a port
    // The tokens that open everything but /healthz; none: no token is needed, but for events, which nothing
    // opens then.
    std::shared_ptr<TokenBook> tokens;
    AccessLimits access;
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
    // Events of one route.
    struct Events
    {
        quint64 accepted = 0;
        quint64 rejected = 0; // for what they are: not JSON, refused by the table
    };
    Events ingest;
    Events ingestBatch;
    Events ingestSync;
};

class HttpServer final
{
public:
    // Both must outlive the server.
    HttpServer(Clock& clock, IntakePort& port);
    ~HttpServer(); // stops
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    // Listens before it returns. InvalidInput: an address or the certificate cannot be used; Conflict: a port
    // is taken; Refused: started before, or an address beyond loopback without what it needs: TLS and tokens,
    // or insecureListen.
    Status start(const HttpOptions& options);
    // The port that is listened on; 0 before start().
    quint16 port() const { return m_port; }
    QString address() const { return m_address; }       // "127.0.0.1:8787"
    QString tlsAddress() const { return m_tlsAddress; } // empty: no TLS
    bool isInsecure() const { return m_insecure; }      // beyond loopback without TLS or tokens
    TlsState tlsState() const;

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
    QString m_tlsAddress;
    bool m_insecure = false;
};

} // namespace redrive
