// One mail handed to a mail server through libcurl. Blocks; any thread.
#pragma once

#include "core/config/smtp_url.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <functional>

namespace redrive {

struct SmtpServer
{
    SmtpUrl at;
    QString caFile; // PEM; empty: the system's
};

struct SmtpMail
{
    QByteArray from;
    QList<QByteArray> recipients;
    QByteArray text; // header and body
};

struct SmtpOutcome
{
    enum class End { Accepted, Refused, Failed, TimedOut, Cancelled };

    End end = End::Failed;
    int replyCode = 0; // the server's last; 0: none
    QString error;     // for people, may hold the server's words
};

// All recipients or none. `goOn` is asked every 50 ms from another thread; false ends it. What the server has
// taken is Accepted, whatever becomes of the connection then.
SmtpOutcome sendBySmtp(const SmtpServer& server, const SmtpMail& mail, qint64 timeLimitMs,
                       const std::function<bool()>& goOn);

} // namespace redrive
