// A blocking HTTP client for tests: one request, one answer, one connection. Any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <utility>

namespace redrive::test {

struct PlainAnswer
{
    int status = 0; // 0: no answer
    QByteArray head;
    QByteArray body;
};

class PlainClient final
{
public:
    using Headers = QList<std::pair<QByteArray, QByteArray>>;

    explicit PlainClient(const QString& baseUrl); // http://127.0.0.1:port

    PlainAnswer get(const QByteArray& path) const { return request("GET", path, {}, {}); }
    PlainAnswer post(const QByteArray& path, const QByteArray& body, const Headers& headers = {}) const
    {
        return request("POST", path, body, headers);
    }
    PlainAnswer request(const QByteArray& method, const QByteArray& path, const QByteArray& body,
                        const Headers& headers) const;

private:
    quint16 m_port = 0;
};

} // namespace redrive::test
