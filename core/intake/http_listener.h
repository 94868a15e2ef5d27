// The part of the front that lives in the intake thread: accepts, keeps the connections, wakes for answers
// and for time. Intake thread, except where noted.
#pragma once

#include "core/intake/acceptor.h"
#include "core/intake/http_connection.h"
#include "core/intake/http_service.h"
#include "core/intake/tls_keeper.h"

#include <QSocketNotifier>
#include <QTimer>

#include <functional>
#include <unordered_map>

namespace redrive {

class HttpListener final : public QObject
{
    Q_OBJECT
public:
    HttpListener(HttpService& service, std::function<void()> finished);
    ~HttpListener() override;

    // The port.
    Result<quint16> listenOn(const QHostAddress& address, quint16 port);
    // The same through TLS; the certificate is looked at again every `lookMs`.
    Result<quint16> listenOn(const QHostAddress& address, quint16 port, TlsKeeper& tls, int lookMs);
    void beginStop();
    // Ends soon with a call of `finished`.
    void closeAll();

protected:
    void customEvent(QEvent* event) override;

private:
    using Connections = std::unordered_map<quint64, std::unique_ptr<HttpConnection>>;

    void onSockets();
    void onCompletions();
    void onTick();
    void dropAll();
    void accept(int socket, const std::shared_ptr<const TlsContext>& tls);
    bool hasRoomFor(const ClientAddress& client) const;
    bool isCounted(const ClientAddress& client) const;
    void refuseSurplus(HttpConnection& connection, qint64 nowMs);
    bool acceptFailed() const;
    void erase(Connections::iterator at);
    void afterChange();

    HttpService& m_service;
    const std::function<void()> m_finished;
    SocketPoll m_poll;
    QSocketNotifier m_pollNotifier;
    QTimer m_timer;
    QTimer m_tlsTimer;
    std::vector<std::unique_ptr<Acceptor>> m_acceptors;
    int m_waker = 0;
    std::vector<char> m_scratch;
    Connections m_connections;
    quint64 m_nextId = 1;
    int m_open = 0; // without the surplus
    int m_surplus = 0;
    std::unordered_map<ClientAddress, int> m_perAddress; // of those that are counted
    bool m_closing = false;
};

} // namespace redrive
