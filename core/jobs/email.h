// An email as a payload describes it, and its text on the wire. Pure; any thread. Source: RFC 5322, RFC 2045,
// RFC 2047.
#pragma once

#include "core/domain/mailbox.h"

#include <QList>

#include <optional>

namespace redrive {

struct Email
{
    Mailbox from;
    QList<Mailbox> to;
    QList<Mailbox> cc;
    QList<Mailbox> bcc; // in the envelope only
    std::optional<Mailbox> replyTo;
    QString subject;
    QString text;
    QString html;

    QList<QByteArray> recipients() const; // each once
};

// Payload: to, subject, text and/or html; cc, bcc, reply_to, from. Errors: InvalidInput with the field's
// name; line breaks and other control characters in a header field, and attachments, are refused.
Result<Email> readEmail(const QByteArray& payload, const QString& defaultFrom);

// Header and body with CRLF. `messageId` without the angle brackets.
QByteArray emailText(const Email& email, const QByteArray& messageId, qint64 dateMs);

} // namespace redrive
