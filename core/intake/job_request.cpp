#include "core/intake/job_request.h"

#include "core/base/json_chars.h"
#include "core/base/json_gate.h"
#include "core/base/json_slice.h"

#include <QCryptographicHash>

#include <algorithm>

namespace redrive {

namespace {

constexpr qsizetype kMaxType = 255;
constexpr qsizetype kMaxKey = 255;
constexpr qint64 kMaxDelaySeconds = 86'400;

struct Fields
{
    JsonSlice type;
    JsonSlice payload;
    JsonSlice delaySeconds;
};

Fields fieldsOf(const JsonSlice& body)
{
    Fields fields;
    JsonMembers members(body);
    while (members.next()) {
        if (members.keyIs("type"))
            fields.type = members.value();
        else if (members.keyIs("payload"))
            fields.payload = members.value();
        else if (members.keyIs("delaySeconds"))
            fields.delaySeconds = members.value();
    }
    return fields;
}

bool isTypeName(const QString& type)
{
    return !type.isEmpty() && type.size() <= kMaxType && std::none_of(type.begin(), type.end(), [](QChar c) {
        return c.category() == QChar::Other_Control;
    });
}

bool isKey(QByteArrayView key)
{
    return !key.isEmpty() && key.size() <= kMaxKey && json::isText(key.begin(), key.end());
}

} // namespace

ReadJob readJob(const JsonSlice& root, const PayloadRules& rules)
{
    ReadJob read;
    if (!root.isObject()) {
        read.wrong.append(FieldProblem{QString(), u"A job must be a JSON object."_s});
        return read;
    }
    const Fields fields = fieldsOf(root);
    read.job.type = fields.type.toText().value_or(QString());
    if (!isTypeName(read.job.type))
        read.wrong.append(FieldProblem{
            u"type"_s, u"'type' must be text of 1 to 255 characters without control characters."_s});
    if (fields.delaySeconds.exists()) {
        const qint64 seconds = fields.delaySeconds.toInteger().value_or(-1);
        if (seconds < 0 || seconds > kMaxDelaySeconds)
            read.wrong.append(
                FieldProblem{u"delaySeconds"_s, u"'delaySeconds' must be a whole number from 0 to 86400."_s});
        read.job.delayMs = seconds * 1000;
    }
    read.job.payload = fields.payload.exists() ? fields.payload.bytes() : QByteArrayLiteral("null");
    if (read.wrong.isEmpty())
        read.refused = rules.check(read.job.type, fields.payload);
    return read;
}

void checkIdempotencyKey(QByteArrayView key, QList<FieldProblem>& wrong)
{
    if (!key.isNull() && !isKey(key))
        wrong.append(
            FieldProblem{u"Idempotency-Key"_s, u"'Idempotency-Key' must be 1 to 255 bytes of UTF-8."_s});
}

void noteIdempotencyKey(KeyedRequest& request, QByteArrayView key, QByteArrayView body)
{
    if (key.isNull())
        return;
    request.idempotencyKey = key.toByteArray();
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(body);
    request.bodyHash = hash.result();
}

tl::expected<EnqueueRequest, HttpProblem> readJobRequest(QByteArrayView body, QByteArrayView idempotencyKey,
                                                         const PayloadRules& rules)
{
    if (const auto fault = checkJson(body))
        return tl::unexpected(problem::fromJson(*fault));
    const JsonSlice root(body);
    if (!root.isObject())
        return tl::unexpected(problem::invalidFields({{QString(), u"The body must be a JSON object."_s}}));
    ReadJob read = readJob(root, rules);
    checkIdempotencyKey(idempotencyKey, read.wrong);
    if (!read.wrong.isEmpty())
        return tl::unexpected(problem::invalidFields(std::move(read.wrong)));
    if (read.refused)
        return tl::unexpected(std::move(*read.refused));

    EnqueueRequest request;
    request.jobs.push_back(std::move(read.job));
    request.route = u"/jobs"_s;
    noteIdempotencyKey(request, idempotencyKey, body);
    return request;
}

} // namespace redrive
