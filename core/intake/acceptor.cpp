#include "core/intake/acceptor.h"

#include "core/base/log.h"

namespace redrive {

namespace {
constexpr int kBacklog = 1024;
} // namespace

Acceptor::Acceptor(std::function<void(int)> onConnection) : m_onConnection(std::move(onConnection))
{
    connect(this, &QTcpServer::acceptError, this, &Acceptor::onAcceptError);
}

Status Acceptor::listenOn(const QHostAddress& address, quint16 port)
{
    setListenBacklogSize(kBacklog);
    if (listen(address, port))
        return {};
    const QString where = address.protocol() == QAbstractSocket::IPv6Protocol
                              ? u"[%1]:%2"_s.arg(address.toString()).arg(port)
                              : u"%1:%2"_s.arg(address.toString()).arg(port);
    if (serverError() == QAbstractSocket::AddressInUseError)
        return fail(ErrorKind::Conflict, u"Another program listens on %1 already"_s.arg(where), errorString(),
                    u"listen"_s);
    return fail(ErrorKind::InvalidInput, u"Cannot listen on %1"_s.arg(where), errorString(), u"listen"_s);
}

void Acceptor::incomingConnection(qintptr socket)
{
    m_failed = false;
    m_onConnection(int(socket));
}

void Acceptor::onAcceptError()
{
    if (!m_failed)
        logEvent(LogLevel::Warning, "intake.accept_failed", {{"error", errorString()}});
    m_failed = true;
}

void Acceptor::goOn()
{
    if (m_failed)
        resumeAccepting();
}

} // namespace redrive
