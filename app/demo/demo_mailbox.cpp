#include "app/demo/demo_mailbox.h"

#include <QTcpSocket>

namespace redrive {

namespace {

constexpr qsizetype kMostBytes = 1'000'000; // of a line

} // namespace

Status DemoMailbox::listen()
{
    connect(&m_server, &QTcpServer::newConnection, this, [this] { accept(); });
    if (m_server.listen(QHostAddress::LocalHost))
        return {};
    return fail(ErrorKind::Internal, u"the demo's mail server cannot listen"_s, m_server.errorString());
}

QString DemoMailbox::url() const
{
    return u"smtp://127.0.0.1:%1?tls=none"_s.arg(m_server.serverPort());
}

void DemoMailbox::accept()
{
    while (QTcpSocket* socket = m_server.nextPendingConnection()) {
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_sessions.remove(socket);
            socket->deleteLater();
        });
        socket->write("220 demo\r\n");
    }
}

void DemoMailbox::read(QTcpSocket* socket)
{
    Session& session = m_sessions[socket];
    session.received += socket->readAll();
    QByteArray answers;
    bool leaves = false;
    for (qsizetype end = 0; (end = session.received.indexOf('\n')) >= 0 && !leaves;) {
        const QByteArray line = session.received.left(end).trimmed();
        session.received.remove(0, end + 1);
        leaves = !session.inMail && line.toUpper() == "QUIT";
        answers += answer(session, line);
    }
    const bool tooLong = session.received.size() > kMostBytes;
    socket->write(answers);
    if (tooLong)
        socket->abort();
    else if (leaves)
        socket->disconnectFromHost();
}

QByteArray DemoMailbox::answer(Session& session, const QByteArray& line)
{
    if (session.inMail) {
        session.inMail = line != ".";
        return session.inMail ? QByteArray() : "250 2.0.0 taken\r\n";
    }
    const QByteArray command = line.left(4).toUpper();
    if (command == "RCPT")
        return recipient(line);
    if (command == "DATA") {
        session.inMail = true;
        return "354 go on\r\n";
    }
    if (command == "QUIT")
        return "221 2.0.0 goodbye\r\n";
    const bool known = command == "EHLO" || command == "HELO" || command == "MAIL" || command == "RSET";
    return known ? "250 demo\r\n" : "502 5.5.1 not here\r\n";
}

QByteArray DemoMailbox::recipient(const QByteArray& line)
{
    if (line.contains("<gone-"))
        return "550 5.1.1 no such mailbox\r\n";
    if (line.contains("<busy-") && m_busyCount++ % 2 == 0)
        return "451 4.2.1 the mailbox is busy, come back later\r\n";
    return "250 2.1.5 ok\r\n";
}

} // namespace redrive
