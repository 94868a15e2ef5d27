#include "core/receiver/arrival.h"

#include "core/base/json_text.h"
#include "core/base/log.h"

#include <QDateTime>

namespace redrive {

namespace {

QString timeText(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs);
}

void appendKey(QByteArray& out, const char* key)
{
    out += out.endsWith('{') ? "\"" : ",\"";
    out += key;
    out += "\":";
}

void append(QByteArray& out, const char* key, const QString& value)
{
    appendKey(out, key);
    appendJsonString(out, QStringView(value));
}

void append(QByteArray& out, const char* key, qint64 value)
{
    appendKey(out, key);
    out += QByteArray::number(value);
}

} // namespace

QString arrivalLine(const Arrival& arrival)
{
    const SignatureFinding& signature = arrival.signature;
    QString verdict = verdictWord(signature.verdict);
    if (!signature.key.isEmpty())
        verdict += u" ("_s + signature.key + u')';
    const QString line = u"%1  %2 %3  id %4  attempt %5  signature %6  %7 bytes  -> %8"_s.arg(
        timeText(arrival.atMs), QString::fromUtf8(arrival.method), QString::fromUtf8(arrival.target),
        arrival.webhookId.isEmpty() ? u"-"_s : QString::fromUtf8(arrival.webhookId),
        QString::number(arrival.attempt), verdict, QString::number(arrival.bodyBytes), arrival.answer);
    const bool explained =
        signature.verdict == SignatureVerdict::NearMiss || signature.verdict == SignatureVerdict::ClockOff;
    return escapedControls(explained ? line + u"  "_s + signature.text : line);
}

QByteArray arrivalJson(const Arrival& arrival)
{
    QByteArray out = "{";
    append(out, "no", qint64(arrival.no));
    append(out, "time", timeText(arrival.atMs));
    append(out, "method", QString::fromUtf8(arrival.method));
    append(out, "path", QString::fromUtf8(arrival.target));
    appendKey(out, "webhookId");
    if (arrival.webhookId.isEmpty())
        out += "null";
    else
        appendJsonString(out, QStringView(QString::fromUtf8(arrival.webhookId)));
    append(out, "attempt", arrival.attempt);
    append(out, "signature", verdictWord(arrival.signature.verdict));
    append(out, "key", arrival.signature.key);
    append(out, "words", arrival.signature.text);
    append(out, "bytes", arrival.bodyBytes);
    append(out, "answer", arrival.answer);
    return out + '}';
}

} // namespace redrive
