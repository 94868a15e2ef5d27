// A listening socket that hands its connections on. Intake thread.
#pragma once

#include "core/base/result.h"

#include <QHostAddress>
#include <QTcpServer>

#include <functional>

namespace redrive {

class Acceptor final : public QTcpServer
{
    Q_OBJECT
public:
    // `onConnection` takes over the socket.
    explicit Acceptor(std::function<void(int)> onConnection);

    // Conflict: another program has the port.
    Status listenOn(const QHostAddress& address, quint16 port);
    // No connection can be taken at the moment, for want of descriptors as a rule; goOn() tries again.
    bool hasFailed() const { return m_failed; }
    void goOn();

protected:
    void incomingConnection(qintptr socket) override;

private:
    void onAcceptError();

    const std::function<void(int)> m_onConnection;
    bool m_failed = false;
};

} // namespace redrive
