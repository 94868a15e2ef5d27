// The part of the front that lives in the intake thread: accepts, keeps the connections, wakes for answers
// and for time. Intake thread, except where noted.
#pragma once

#include "core/intake/http_connection.h"
#include "core/intake/http_service.h"

#include <QHostAddress>
#include <QSocketNotifier>
#include <QTcpServer>
#include <QTimer>

#include <functional>
#include <unordered_map>

namespace redrive {

class HttpListener final : public QTcpServer
{
    Q_OBJECT
public:
    HttpListener(HttpService& service, std::function<void()> finished);
    ~HttpListener() override;

    Status listenOn(const QHostAddress& address, quint16 port);
    void beginStop();
    // Ends soon with a call of `finished`.
    void closeAll();

protected:
    void incomingConnection(qintptr socket) override;
    void customEvent(QEvent* event) override;

private:
    using Connections = std::unordered_map<quint64, std::unique_ptr<HttpConnection>>;

    void onSockets();
    void onCompletions();
    void onTick();
    void dropAll();
    void onAcceptError();
    void refuseSurplus(HttpConnection& connection, qint64 nowMs);
    void erase(Connections::iterator at);
    void afterChange();

    HttpService& m_service;
    const std::function<void()> m_finished;
    SocketPoll m_poll;
    QSocketNotifier m_pollNotifier;
    QTimer m_timer;
    int m_waker = 0;
    std::vector<char> m_scratch;
    Connections m_connections;
    quint64 m_nextId = 1;
    int m_open = 0; // without the surplus
    int m_surplus = 0;
    bool m_acceptFailed = false;
    bool m_closing = false;
};

} // namespace redrive
