#include "core/jobs/batch_text.h"

#include "core/base/json_text.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace redrive {

namespace {

constexpr double kMaxDelaySeconds = 86'400;

void appendBody(QByteArray& out, const WaitingMessage& message)
{
    switch (message.contentType) {
    case ContentType::Json:
        out += message.body;
        return;
    case ContentType::Text:
        appendJsonString(out, QByteArrayView(message.body));
        return;
    case ContentType::Bytes:
        break;
    }
    out += '"' + message.body.toBase64() + '"';
}

tl::unexpected<Error> badAnswer(const QString& what)
{
    return fail(ErrorKind::InvalidInput, u"the answer to the batch is not usable: "_s + what);
}

Result<QJsonArray> listOf(const QJsonObject& answer, QLatin1String key)
{
    const QJsonValue value = answer.value(key);
    if (value.isUndefined() || value.isNull())
        return QJsonArray();
    if (!value.isArray())
        return badAnswer(u"\"%1\" must be a list"_s.arg(key));
    return value.toArray();
}

Result<std::optional<qint64>> delayOf(const QJsonValue& value)
{
    if (value.isUndefined() || value.isNull())
        return std::nullopt;
    const double seconds = value.toDouble(-1);
    if (!value.isDouble() || seconds < 0 || seconds > kMaxDelaySeconds || std::floor(seconds) != seconds)
        return badAnswer(u"\"delaySeconds\" must be a whole number from 0 to 86400"_s);
    return qint64(seconds) * 1'000;
}

} // namespace

QByteArray batchRequest(const MessageBatch& batch)
{
    QByteArray out = "{\"queue\":";
    appendJsonString(out, QStringView(batch.queue));
    out += ",\"messages\":[";
    bool first = true;
    for (const WaitingMessage& message : batch.messages) {
        out += first ? "{\"id\":" : ",{\"id\":";
        first = false;
        appendJsonString(out, QStringView(message.id));
        out += ",\"timestamp\":" + QByteArray::number(message.sentAtMs);
        out += ",\"attempts\":" + QByteArray::number(message.attempts + 1);
        out += ",\"contentType\":\"" + toText(message.contentType).toLatin1() + "\",\"body\":";
        appendBody(out, message);
        out += '}';
    }
    return out + "]}";
}

Result<std::vector<Decision>> batchDecisions(const QByteArray& answer, const MessageBatch& batch,
                                             int* unknownIds)
{
    Settlement settlement(int(batch.messages.size()));
    if (answer.trimmed().isEmpty())
        return settlement.decisions(HandlerEnd::Returned);
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(answer, &error);
    if (!document.isObject())
        return badAnswer(document.isNull() ? error.errorString() : u"it must be an object"_s);
    REDRIVE_ASSIGN(acks, listOf(document.object(), QLatin1String("acks")));
    REDRIVE_ASSIGN(retries, listOf(document.object(), QLatin1String("retries")));

    QHash<QString, int> indexOf;
    for (int i = 0; i < batch.messages.size(); ++i)
        indexOf.insert(batch.messages[i].id, i);
    int unknown = 0;
    for (const QJsonValue& id : std::as_const(acks)) {
        if (!id.isString())
            return badAnswer(u"\"acks\" must hold ids"_s);
        if (const auto at = indexOf.constFind(id.toString()); at != indexOf.cend())
            settlement.ack(*at);
        else
            ++unknown;
    }
    for (const QJsonValue& retry : std::as_const(retries)) {
        const QJsonObject entry = retry.toObject();
        if (!entry.value(QLatin1String("id")).isString())
            return badAnswer(u"\"retries\" must hold objects with an id"_s);
        REDRIVE_ASSIGN(delayMs, delayOf(entry.value(QLatin1String("delaySeconds"))));
        if (const auto at = indexOf.constFind(entry.value(QLatin1String("id")).toString());
            at != indexOf.cend())
            settlement.retry(*at, delayMs);
        else
            ++unknown;
    }
    if (unknownIds)
        *unknownIds = unknown;
    return settlement.decisions(HandlerEnd::Returned);
}

} // namespace redrive
