// An email as a payload describes it, and its text on the wire. Pure; any thread. Source: RFC 5322, RFC 2045,
// RFC 2047.
#pragma once

#include "core/base/result.h"

#include <QStringList>

namespace redrive {

struct Mailbox
{
    QString name;       // for people; may be empty
    QByteArray address; // ASCII
};

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

// "Anna <anna@example.com>" or "anna@example.com".
Result<Mailbox> readMailbox(const QString& text, const QString& field);

// Header and body with CRLF. `messageId` without the angle brackets.
QByteArray emailText(const Email& email, const QByteArray& messageId, qint64 dateMs);

} // namespace redrive
