// One mail handed to a mail server through libcurl. Blocks; any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <functional>

namespace redrive {

struct SmtpServer
{
    // smtp://HOST:PORT or smtps://HOST:PORT.
    QString url;
    QString user; // empty: none
    QByteArray password;
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

// smtps:// is TLS from the first byte; smtp:// goes over to TLS where the server offers it, and must where
// there is a password. All recipients or none. `goOn` is asked every 50 ms; false ends it.
SmtpOutcome sendBySmtp(const SmtpServer& server, const SmtpMail& mail, qint64 timeLimitMs,
                       const std::function<bool()>& goOn);

} // namespace redrive
