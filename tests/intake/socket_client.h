// A blocking client on a real socket.
#pragma once

#include "tests/intake/http_reply.h"

#include <QElapsedTimer>
#include <QTcpSocket>

#include <sys/socket.h>

namespace redrive::test {

class SocketClient final
{
public:
    explicit SocketClient(quint16 port)
    {
        m_socket.connectToHost(QStringLiteral("127.0.0.1"), port);
        m_connected = m_socket.waitForConnected(20'000);
        m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
    }
    bool isConnected() const { return m_connected; }

    void send(const QByteArray& bytes)
    {
        m_socket.write(bytes);
        while (m_socket.bytesToWrite() > 0 && m_socket.waitForBytesWritten(20'000)) {
        }
    }
    // One segment for every byte.
    void sendSlowly(const QByteArray& bytes)
    {
        for (const char byte : bytes) {
            m_socket.write(&byte, 1);
            m_socket.flush();
        }
    }
    void sendNoMore() { ::shutdown(int(m_socket.socketDescriptor()), SHUT_WR); }

    // Waits until that many answers are there, or the server has closed, or 20 s have passed.
    QList<HttpReply> replies(int count, bool heads = false)
    {
        QElapsedTimer timer;
        timer.start();
        while (readReplies(m_received, heads).size() < count && timer.elapsed() < 20'000 && readMore()) {
        }
        return readReplies(m_received, heads);
    }
    // True when the server ended the stream within 20 s.
    bool isClosed()
    {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 20'000) {
            if (!readMore() && m_socket.state() != QAbstractSocket::ConnectedState)
                return true;
        }
        return false;
    }
    const QByteArray& received() const { return m_received; }

private:
    bool readMore()
    {
        if (m_socket.bytesAvailable() == 0)
            m_socket.waitForReadyRead(1000);
        const QByteArray more = m_socket.readAll();
        m_received += more;
        return !more.isEmpty() || m_socket.state() == QAbstractSocket::ConnectedState;
    }

    QTcpSocket m_socket;
    QByteArray m_received;
    bool m_connected = false;
};

} // namespace redrive::test
