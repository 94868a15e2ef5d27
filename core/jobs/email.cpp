#include "core/jobs/email.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

#include <algorithm>

namespace redrive {

namespace {

constexpr qsizetype kMaxPlainHeader = 200;     // longer ones are encoded, and so folded
constexpr qsizetype kMaxEncodedWordBytes = 42; // 56 characters of base64
constexpr qsizetype kBase64Line = 57;          // 76 characters

Result<QString> textOf(const QJsonObject& payload, const QString& field)
{
    const QJsonValue value = payload.value(field);
    if (value.isUndefined() || value.isNull())
        return QString();
    if (!value.isString())
        return fail(ErrorKind::InvalidInput, u"'%1' must be text"_s.arg(field), {}, field);
    return value.toString();
}

Result<QList<Mailbox>> mailboxesOf(const QJsonObject& payload, const QString& field)
{
    const QJsonValue value = payload.value(field);
    QList<Mailbox> boxes;
    if (value.isUndefined() || value.isNull())
        return boxes;
    const QJsonArray entries = value.isArray() ? value.toArray() : QJsonArray{value};
    for (const QJsonValue& entry : entries) {
        if (!entry.isString())
            return fail(ErrorKind::InvalidInput, u"'%1' must be an address or a list of them"_s.arg(field),
                        {}, field);
        REDRIVE_ASSIGN(box, readMailbox(entry.toString(), field));
        boxes.append(box);
    }
    return boxes;
}

// Encoded words of whole characters, one a line.
QByteArray encodedWords(const QString& text)
{
    QByteArrayList words;
    QByteArray piece;
    const auto flush = [&] {
        if (!piece.isEmpty())
            words.append("=?UTF-8?B?" + piece.toBase64() + "?=");
        piece.clear();
    };
    for (qsizetype i = 0; i < text.size();) {
        const qsizetype length = text[i].isHighSurrogate() && i + 1 < text.size() ? 2 : 1;
        const QByteArray character = text.mid(i, length).toUtf8();
        if (piece.size() + character.size() > kMaxEncodedWordBytes)
            flush();
        piece += character;
        i += length;
    }
    flush();
    return words.join("\r\n ");
}

QByteArray headerText(const QString& text)
{
    const bool plain = isPrintableAscii(text) && text.size() <= kMaxPlainHeader && !text.contains(u"=?"_s);
    return plain ? text.toLatin1() : encodedWords(text);
}

QByteArray mailboxText(const Mailbox& box)
{
    if (box.name.isEmpty())
        return box.address;
    if (!isPrintableAscii(box.name) || box.name.size() > kMaxPlainHeader || box.name.contains(u"=?"_s))
        return encodedWords(box.name) + " <" + box.address + '>';
    QString name = box.name;
    name.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    return '"' + name.toLatin1() + "\" <" + box.address + '>';
}

void addMailboxes(QByteArray& out, const char* name, const QList<Mailbox>& boxes)
{
    if (boxes.isEmpty())
        return;
    QByteArrayList texts;
    for (const Mailbox& box : boxes)
        texts.append(mailboxText(box));
    out += QByteArray(name) + ": " + texts.join(",\r\n ") + "\r\n";
}

QByteArray part(const char* type, const QString& content)
{
    QByteArray out =
        QByteArray("Content-Type: ") + type + "; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n";
    QString lines = content; // RFC 2045: text ends its lines with CRLF inside base64 too
    lines.replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n').replace(u'\n', u"\r\n"_s);
    const QByteArray utf8 = lines.toUtf8();
    for (qsizetype at = 0; at < utf8.size(); at += kBase64Line)
        out += utf8.mid(at, kBase64Line).toBase64() + "\r\n";
    return out;
}

QByteArray body(const Email& email, const QByteArray& messageId)
{
    if (email.html.isEmpty())
        return part("text/plain", email.text);
    if (email.text.isEmpty())
        return part("text/html", email.html);
    const QByteArray boundary = "=_redrive_" + messageId.left(36); // '_' and '=' are not base64 lines' own
    return "Content-Type: multipart/alternative; boundary=\"" + boundary + "\"\r\n\r\n--" + boundary +
           "\r\n" + part("text/plain", email.text) + "\r\n--" + boundary + "\r\n" +
           part("text/html", email.html) + "\r\n--" + boundary + "--\r\n";
}

} // namespace

QList<QByteArray> Email::recipients() const
{
    QList<QByteArray> all;
    for (const QList<Mailbox>& boxes : {to, cc, bcc})
        for (const Mailbox& box : boxes)
            if (!all.contains(box.address))
                all.append(box.address);
    return all;
}

Result<Email> readEmail(const QByteArray& payload, const QString& defaultFrom)
{
    const QJsonObject object = QJsonDocument::fromJson(payload).object();
    if (object.contains(u"attachments"_s))
        return fail(ErrorKind::InvalidInput, u"attachments are not sent"_s, {}, u"attachments"_s);
    Email email;
    REDRIVE_ASSIGN(to, mailboxesOf(object, u"to"_s));
    REDRIVE_ASSIGN(cc, mailboxesOf(object, u"cc"_s));
    REDRIVE_ASSIGN(bcc, mailboxesOf(object, u"bcc"_s));
    REDRIVE_ASSIGN(replyTo, mailboxesOf(object, u"reply_to"_s));
    REDRIVE_ASSIGN(subject, textOf(object, u"subject"_s));
    REDRIVE_ASSIGN(text, textOf(object, u"text"_s));
    REDRIVE_ASSIGN(html, textOf(object, u"html"_s));
    REDRIVE_ASSIGN(fromText, textOf(object, u"from"_s));
    REDRIVE_TRY(checkHeaderText(subject, u"subject"_s));
    if (to.isEmpty())
        return fail(ErrorKind::InvalidInput, u"'to' is missing"_s, {}, u"to"_s);
    if (subject.isEmpty())
        return fail(ErrorKind::InvalidInput, u"'subject' is missing"_s, {}, u"subject"_s);
    if (text.isEmpty() && html.isEmpty())
        return fail(ErrorKind::InvalidInput, u"'text' or 'html' is needed"_s, {}, u"text"_s);
    if (replyTo.size() > 1)
        return fail(ErrorKind::InvalidInput, u"'reply_to' must be one address"_s, {}, u"reply_to"_s);
    if (fromText.isEmpty() && defaultFrom.isEmpty())
        return fail(ErrorKind::InvalidInput, u"'from' is missing, and redrive.smtp.from is not set"_s, {},
                    u"from"_s);
    REDRIVE_ASSIGN(from, readMailbox(fromText.isEmpty() ? defaultFrom : fromText, u"from"_s));
    if (!replyTo.isEmpty())
        email.replyTo = replyTo.first();
    email.from = std::move(from);
    email.to = std::move(to);
    email.cc = std::move(cc);
    email.bcc = std::move(bcc);
    email.subject = std::move(subject);
    email.text = std::move(text);
    email.html = std::move(html);
    return email;
}

QByteArray emailText(const Email& email, const QByteArray& messageId, qint64 dateMs)
{
    const QDateTime date = QDateTime::fromMSecsSinceEpoch(dateMs, Qt::UTC);
    QByteArray out = "Date: " + date.toString(Qt::RFC2822Date).toLatin1() + "\r\n";
    addMailboxes(out, "From", {email.from});
    addMailboxes(out, "To", email.to);
    addMailboxes(out, "Cc", email.cc);
    if (email.replyTo)
        addMailboxes(out, "Reply-To", {*email.replyTo});
    out += "Subject: " + headerText(email.subject) + "\r\n";
    out += "Message-ID: <" + messageId + ">\r\nMIME-Version: 1.0\r\n";
    return out + body(email, messageId);
}

} // namespace redrive
