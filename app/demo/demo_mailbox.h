// A mail server on loopback that behaves as mail servers do: busy-…@ has to come back every other time,
// gone-…@ is nobody, everybody else's mail is taken and forgotten. The thread that made it; needs an event
// loop.
#pragma once

#include "core/base/result.h"

#include <QHash>
#include <QTcpServer>

namespace redrive {

class DemoMailbox final : public QObject
{
    Q_OBJECT
public:
    Status listen(); // on a free port of 127.0.0.1
    QString url() const;

private:
    struct Session
    {
        QByteArray received; // of the line that is under way
        bool inMail = false;
    };

    void accept();
    void read(QTcpSocket* socket);
    QByteArray answer(Session& session, const QByteArray& line);
    QByteArray recipient(const QByteArray& line);

    QHash<QTcpSocket*, Session> m_sessions;
    int m_busyCount = 0;
    QTcpServer m_server{this}; // last: its sockets go first, and say so
};

} // namespace redrive
