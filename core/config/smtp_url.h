// redrive.smtp.url: which mail server, and when the connection is encrypted. Pure; any thread.
//
//   smtps://HOST            TLS from the first byte, port 465
//   smtp://HOST             STARTTLS where the server offers it, and always where there is a user; port 25
//   smtp://HOST?tls=required  STARTTLS or nothing is sent
//   smtp://HOST?tls=none    never encrypted; not with a user
//
// USER@ in front of the host, :PORT behind it, /NAME behind that for what Redrive calls itself in EHLO.
#pragma once

#include "core/base/result.h"

#include <QByteArray>

namespace redrive {

enum class SmtpTls { WhereOffered, Required, Never };

struct SmtpUrl
{
    QString url; // without user, password and tls
    QString user;
    QByteArray password;
    SmtpTls tls = SmtpTls::WhereOffered;
};

// InvalidInput says what is allowed, and repeats nothing of the text.
Result<SmtpUrl> parseSmtpUrl(const QString& text);

} // namespace redrive
