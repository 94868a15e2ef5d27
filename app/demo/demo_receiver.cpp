#include "app/demo/demo_receiver.h"

#include <QTcpSocket>
#include <QTimer>

namespace redrive {

namespace {

constexpr qsizetype kMostBytes = 1'000'000;

QByteArray response(const QByteArray& status, const QByteArray& body)
{
    return "HTTP/1.1 " + status +
           "\r\nContent-Type: text/plain\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" +
           body;
}

qsizetype bodyLength(const QByteArray& head)
{
    for (const QByteArray& line : head.split('\n'))
        if (line.toLower().startsWith("content-length:"))
            return line.mid(line.indexOf(':') + 1).trimmed().toLongLong();
    return 0;
}

} // namespace

Status DemoReceiver::listen()
{
    connect(&m_server, &QTcpServer::newConnection, this, [this] { accept(); });
    if (m_server.listen(QHostAddress::LocalHost))
        return {};
    return fail(ErrorKind::Internal, u"the demo's receiver cannot listen"_s, m_server.errorString());
}

QString DemoReceiver::url(const QString& endpoint) const
{
    return u"http://127.0.0.1:%1/%2"_s.arg(m_server.serverPort()).arg(endpoint);
}

void DemoReceiver::accept()
{
    while (QTcpSocket* socket = m_server.nextPendingConnection()) {
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_received.remove(socket);
            socket->deleteLater();
        });
    }
}

void DemoReceiver::read(QTcpSocket* socket)
{
    QByteArray& received = m_received[socket];
    received += socket->readAll();
    if (received.size() > kMostBytes) {
        socket->abort();
        return;
    }
    const qsizetype headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return;
    const qsizetype total = headEnd + 4 + bodyLength(received.left(headEnd));
    if (received.size() < total)
        return;
    const QByteArray path = received.left(received.indexOf('\r')).split(' ').value(1);
    received.remove(0, total);
    answer(socket, path);
}

void DemoReceiver::answer(QTcpSocket* socket, const QByteArray& path)
{
    if (path == "/slow")
        QTimer::singleShot(kSlowMs, socket, [socket] { socket->write(response("200 OK", "at last\n")); });
    else if (path == "/flaky" && m_flakyCount++ % 2 == 0)
        socket->write(response("503 Service Unavailable", "try again\n"));
    else if (path == "/dead")
        socket->write(response("500 Internal Server Error", "database connection refused\n"));
    else
        socket->write(response("200 OK", "thank you\n"));
}

} // namespace redrive
