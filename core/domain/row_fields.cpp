#include "core/domain/row_fields.h"

#include "core/base/json_chars.h"
#include "core/base/json_text.h"

#include <algorithm>

namespace redrive {

namespace {

FieldValue textOrNone(const QString& text)
{
    return text.isEmpty() ? FieldValue() : FieldValue(text);
}

FieldValue timeOrNone(std::optional<qint64> ms)
{
    return ms ? FieldValue(*ms) : FieldValue();
}

FieldValue countOrNone(std::optional<int> count)
{
    return count ? FieldValue(qint64(*count)) : FieldValue();
}

FieldValue reachedOrNone(qint64 us)
{
    return us > 0 ? FieldValue(us) : FieldValue();
}

QByteArray jsonOf(const FieldValue& value)
{
    if (const auto* number = std::get_if<qint64>(&value))
        return QByteArray::number(*number);
    if (const auto* truth = std::get_if<bool>(&value))
        return *truth ? "true" : "false";
    const auto* text = std::get_if<QString>(&value);
    if (!text)
        return "null";
    QByteArray quoted;
    appendJsonString(quoted, QStringView(*text));
    return quoted;
}

bool beginsLikeAFormula(const QString& text)
{
    return !text.isEmpty() && QStringView(u"=+-@\t\r").contains(text.front());
}

QByteArray csvCell(const FieldValue& value)
{
    const auto* text = std::get_if<QString>(&value);
    if (!text)
        return std::holds_alternative<std::monostate>(value) ? QByteArray() : jsonOf(value);
    QByteArray cell = (beginsLikeAFormula(*text) ? u'\'' + *text : *text).toUtf8();
    const bool quoted = std::any_of(cell.begin(), cell.end(),
                                    [](char c) { return c == '"' || c == ',' || c == '\n' || c == '\r'; });
    return quoted ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
}

template <typename CellOf>
QByteArray csvLine(const QList<RowField>& fields, CellOf cellOf)
{
    QByteArray line;
    for (const RowField& field : fields) {
        if (&field != &fields.first())
            line.append(',');
        line.append(cellOf(field));
    }
    return line.append("\r\n");
}

} // namespace

QList<RowField> fieldsOf(const JobRow& row)
{
    return {{"id", row.id},
            {"type", row.type},
            {"status", statusOf(row)},
            {"queue", textOrNone(row.queue)},
            {"reason", textOrNone(row.reason)},
            {"error", textOrNone(row.error)},
            {"run", qint64(row.run)},
            {"attempts", qint64(row.attempts)},
            {"maxAttempts", qint64(row.maxAttempts)},
            {"crashes", qint64(row.crashes)},
            {"createdAt", row.createdAtMs},
            {"updatedAt", row.updatedAtMs},
            {"nextAttemptAt", timeOrNone(row.dueAtMs)},
            {"discarded", row.discarded},
            {"parentId", textOrNone(row.parentId)},
            {"supersededBy", textOrNone(row.supersededBy)},
            {"deliveries", qint64(row.deliveries)},
            {"deliveriesOpen", qint64(row.deliveriesOpen)},
            {"deliveriesDead", qint64(row.deliveriesDead)}};
}

QList<RowField> fieldsOf(const TimerRow& row)
{
    return {{"id", row.id},
            {"kind", row.isDelivery ? QStringLiteral("delivery") : QStringLiteral("job")},
            {"type", row.type},
            {"queue", textOrNone(row.queue)},
            {"endpointId", textOrNone(row.endpointId)},
            {"attempts", qint64(row.attempts)},
            {"maxAttempts", qint64(row.maxAttempts)},
            {"reason", textOrNone(row.reason)},
            {"error", textOrNone(row.error)},
            {"nextAttemptAt", row.dueAtMs},
            {"updatedAt", row.updatedAtMs}};
}

QList<RowField> fieldsOf(const DeliveryRow& row)
{
    return {{"id", row.id},
            {"status", statusOf(row)},
            {"endpointId", row.endpointId},
            {"url", textOrNone(row.url)},
            {"eventId", textOrNone(row.eventId)},
            {"eventType", row.eventType},
            {"jobId", textOrNone(row.jobId)},
            {"reason", textOrNone(row.reason)},
            {"error", textOrNone(row.error)},
            {"attempts", qint64(row.attempts)},
            {"spent", qint64(row.spent)},
            {"budget", qint64(row.budget)},
            {"createdAt", row.createdAtMs},
            {"updatedAt", row.updatedAtMs},
            {"nextAttemptAt", timeOrNone(row.dueAtMs)},
            {"discarded", row.discarded}};
}

QList<RowField> fieldsOf(const LetterRow& row)
{
    return {{"id", row.subjectId},
            {"letter", row.key},
            {"kind", toText(row.kind)},
            {"state", toText(row.state)},
            {"type", row.type},
            {"sourceQueue", textOrNone(row.sourceQueue)},
            {"deadLetterQueue", textOrNone(row.deadLetterQueue)},
            {"endpointId", textOrNone(row.endpointId)},
            {"run", qint64(row.run)},
            {"attempts", qint64(row.attempts)},
            {"maxAttempts", qint64(row.maxAttempts)},
            {"reason", row.reason},
            {"error", textOrNone(row.error)},
            {"sentAt", row.sentAtMs},
            {"deadAt", row.deadAtMs},
            {"changedAt", row.changedAtMs},
            {"supersededBy", textOrNone(row.supersededBy)}};
}

QList<RowField> fieldsOf(const ActivityRow& row)
{
    return {{"kind", row.isAlert ? QStringLiteral("alert") : QStringLiteral("action")},
            {"no", row.key / 2},
            {"at", row.atMs},
            {"by", textOrNone(row.actor)},
            {"source", textOrNone(row.source)},
            {"what", row.what},
            {"target", textOrNone(row.target)},
            {"count", row.count},
            {"redrive", row.redriveNo > 0 ? FieldValue(row.redriveNo) : FieldValue()},
            {"reason", textOrNone(row.reason)},
            {"result", textOrNone(row.isAlert ? row.postError : row.result)},
            {"state", row.state()},
            {"digest", row.isDigest},
            {"posted", row.sent},
            {"waiting", row.waiting},
            {"failed", row.failed}};
}

QList<RowField> fieldsOf(const TelemetryRow& row)
{
    return {{"id", row.id},
            {"createdAt", row.createdAtMs},
            {"tenantId", textOrNone(row.tenantId)},
            {"source", textOrNone(row.source)},
            {"bytes", row.payloadBytes},
            {"payload", row.payload}};
}

QList<RowField> fieldsOf(const DeliveryAttempt& attempt)
{
    return QList<RowField>{{"attempt", qint64(attempt.attempt)},
                           {"kind", attempt.kind},
                           {"replayOf", countOrNone(attempt.replayOf)},
                           {"url", attempt.url},
                           {"peer", textOrNone(attempt.peer)},
                           {"endpointVersion", countOrNone(attempt.endpointVersion)},
                           {"startedAt", attempt.startedAtMs},
                           {"finishedAt", timeOrNone(attempt.finishedAtMs)},
                           {"outcome", textOrNone(attempt.outcome)},
                           {"class", textOrNone(attempt.outcomeClass)},
                           {"statusCode", countOrNone(attempt.statusCode)},
                           {"errorCode", textOrNone(attempt.errorCode)},
                           {"error", textOrNone(attempt.error)},
                           {"dnsUs", reachedOrNone(attempt.dnsUs)},
                           {"connectUs", reachedOrNone(attempt.connectUs)},
                           {"tlsUs", reachedOrNone(attempt.tlsUs)},
                           {"firstByteUs", reachedOrNone(attempt.firstByteUs)},
                           {"totalUs", reachedOrNone(attempt.totalUs)},
                           {"tlsVersion", textOrNone(attempt.tlsVersion)},
                           {"certificateEndsAt", timeOrNone(attempt.certificateEndsAtMs)},
                           {"nextAttemptAt", timeOrNone(attempt.nextAtMs)},
                           {"nextReason", textOrNone(attempt.nextReason)},
                           {"requestHeaders", textOrNone(attempt.requestHeaders)},
                           {"responseHeaders", textOrNone(attempt.responseHeaders)}} +
           bodyFields("responseBody", "responseBodyBase64", attempt.responseBody);
}

QList<RowField> bodyFields(const char* text, const char* base64, const QByteArray& bytes)
{
    const bool isText = json::isText(bytes.cbegin(), bytes.cend());
    return {{text, isText ? textOrNone(QString::fromUtf8(bytes)) : FieldValue()},
            {base64, isText ? FieldValue() : FieldValue(QString::fromLatin1(bytes.toBase64()))}};
}

QByteArray jsonLineOf(const QList<RowField>& fields)
{
    QByteArray line("{");
    for (const RowField& field : fields) {
        if (line.size() > 1)
            line.append(',');
        appendJsonString(line, QByteArrayView(field.name));
        line.append(':').append(jsonOf(field.value));
    }
    return line.append('}');
}

QByteArray csvLineOf(const QList<RowField>& fields)
{
    return csvLine(fields, [](const RowField& field) { return csvCell(field.value); });
}

QByteArray csvTitlesOf(const QList<RowField>& fields)
{
    return csvLine(fields, [](const RowField& field) { return QByteArray(field.name); });
}

} // namespace redrive
