// Answers taken apart, for tests.
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QMap>

namespace redrive::test {

struct HttpReply
{
    int status = 0;
    QMap<QByteArray, QByteArray> headers; // names in lower case
    QByteArray body;

    QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
    QString code() const { return json()[QStringLiteral("code")].toString(); }
    bool closes() const { return headers.value("connection") == "close"; }
};

// All whole answers in the bytes, in order. With `heads`, bodies are not expected (answers to HEAD).
inline QList<HttpReply> readReplies(QByteArray bytes, bool heads = false)
{
    QList<HttpReply> replies;
    for (;;) {
        const qsizetype end = bytes.indexOf("\r\n\r\n");
        if (end < 0)
            return replies;
        HttpReply reply;
        const QList<QByteArray> lines = bytes.left(end).split('\n');
        reply.status = lines.first().mid(9, 3).toInt();
        for (const QByteArray& line : lines.mid(1)) {
            const qsizetype colon = line.indexOf(':');
            reply.headers[line.left(colon).toLower()] = line.mid(colon + 1).trimmed();
        }
        const qsizetype size = heads ? 0 : reply.headers.value("content-length").toLongLong();
        if (bytes.size() < end + 4 + size)
            return replies;
        reply.body = bytes.mid(end + 4, size);
        bytes = bytes.mid(end + 4 + size);
        replies += reply;
    }
}

} // namespace redrive::test
