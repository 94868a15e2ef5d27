// One mail address with its name. Pure; any thread. Source: RFC 5321, RFC 5322.
#pragma once

#include "core/base/result.h"

#include <QByteArray>

namespace redrive {

struct Mailbox
{
    QString name;       // for people; may be empty
    QByteArray address; // ASCII; an international domain is in its xn-- form
};

// "Anna <anna@example.com>" or "anna@example.com". InvalidInput names the field; line breaks and other
// control characters are refused.
Result<Mailbox> readMailbox(const QString& text, const QString& field);

// The same rule for any other header field.
Status checkHeaderText(const QString& text, const QString& field);

bool isPrintableAscii(QStringView text);

} // namespace redrive
