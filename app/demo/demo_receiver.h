// Four webhook endpoints on loopback that behave as endpoints do: /good and /slow accept, /flaky accepts
// every other time, /dead never. The thread that made it; needs an event loop.
#pragma once

#include "core/base/result.h"

#include <QHash>
#include <QTcpServer>

namespace redrive {

class DemoReceiver final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kSlowMs = 2'500;

    Status listen(); // on a free port of 127.0.0.1
    QString url(const QString& endpoint) const;

private:
    void accept();
    void read(QTcpSocket* socket);
    void answer(QTcpSocket* socket, const QByteArray& path);

    QHash<QTcpSocket*, QByteArray> m_received; // of the request that is under way
    int m_flakyCount = 0;
    QTcpServer m_server{this}; // last: its sockets go first, and say so
};

} // namespace redrive
