#include "core/intake/ingest_answer.h"

#include "core/base/json_text.h"

namespace redrive {

namespace {

void appendText(QByteArray& out, const char* key, QStringView value)
{
    out += key;
    appendJsonString(out, value);
}

QByteArray counts(qsizetype accepted, qsizetype rejected, QByteArrayView errors)
{
    QByteArray out = "{\"accepted\":" + QByteArray::number(accepted) +
                     ",\"rejected\":" + QByteArray::number(rejected) + ",\"errors\":";
    return out.append(errors.data(), errors.size());
}

} // namespace

QByteArray eventAnswer(const IngestReply& reply, bool stored)
{
    QByteArray out = stored ? "{\"status\":\"stored\"" : "{\"status\":\"accepted\"";
    appendText(out, ",\"eventId\":", reply.eventIds.value(0));
    return out += reply.duplicate ? ",\"duplicate\":true}" : "}";
}

QByteArray eventBatchAnswer(const IngestReply& reply, QByteArrayView errors, qsizetype rejected)
{
    QByteArray out = counts(reply.eventIds.size(), rejected, errors);
    out.reserve(out.size() + 40 * (reply.eventIds.size() + 1));
    out += ",\"eventIds\":[";
    for (qsizetype i = 0; i < reply.eventIds.size(); ++i)
        appendText(out, i == 0 ? "" : ",", reply.eventIds[i]);
    return out += reply.duplicate ? "],\"duplicate\":true}" : "]}";
}

QByteArray eventErrors(const QList<RejectedEvent>& rejected)
{
    QByteArray out = "[";
    for (const auto& [index, problem] : rejected) {
        out += out.size() == 1 ? "{\"index\":" : ",{\"index\":";
        out += QByteArray::number(index);
        appendText(out, ",\"code\":", QString::fromLatin1(problem.code));
        appendText(out, ",\"error\":", problem.text);
        if (!problem.detail.isEmpty())
            appendText(out, ",\"detail\":", problem.detail);
        if (!problem.field.isEmpty())
            appendText(out, ",\"field\":", problem.field);
        if (problem.offset >= 0)
            out += ",\"offset\":" + QByteArray::number(problem.offset);
        out += '}';
    }
    return out += ']';
}

QByteArray eventBatchRefusal(const QList<RejectedEvent>& rejected, const QString& requestId)
{
    QByteArray out = counts(0, rejected.size(), eventErrors(rejected));
    out += ",\"error\":\"No event of the batch is valid.\",\"code\":\"no_valid_event\"";
    appendText(out, ",\"requestId\":", requestId);
    return out += '}';
}

} // namespace redrive
