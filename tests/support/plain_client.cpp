#include "tests/support/plain_client.h"

#include <QTcpSocket>
#include <QUrl>

namespace redrive::test {

namespace {
constexpr int kWaitMs = 30'000;
}

PlainClient::PlainClient(const QString& baseUrl) : m_port(quint16(QUrl(baseUrl).port())) {}

PlainAnswer PlainClient::request(const QByteArray& method, const QByteArray& path, const QByteArray& body,
                                 const Headers& headers) const
{
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), m_port);
    if (!socket.waitForConnected(kWaitMs))
        return {};
    QByteArray text = method + ' ' + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    for (const auto& [name, value] : headers)
        text += name + ": " + value + "\r\n";
    if (method == "POST")
        text += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    socket.write(text + "\r\n" + body);
    QByteArray answer;
    while (socket.waitForReadyRead(kWaitMs))
        answer += socket.readAll();
    const qsizetype end = answer.indexOf("\r\n\r\n");
    if (end < 0)
        return {};
    return {answer.mid(9, 3).toInt(), answer.left(end), answer.mid(end + 4)};
}

} // namespace redrive::test
