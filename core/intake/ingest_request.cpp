#include "core/intake/ingest_request.h"

#include "core/base/json_gate.h"
#include "core/base/json_slice.h"
#include "core/intake/batch_texts.h"
#include "core/intake/job_request.h"

namespace redrive {

namespace {

std::optional<HttpProblem> noteKey(IngestRequest& request, QByteArrayView key, QByteArrayView body)
{
    QList<FieldProblem> wrong;
    checkIdempotencyKey(key, wrong);
    if (!wrong.isEmpty())
        return problem::invalidFields(std::move(wrong));
    noteIdempotencyKey(request, key, body);
    return std::nullopt;
}

HttpProblem brokenArray(QByteArrayView body)
{
    JsonLimits limits;
    limits.keys = int(body.size());
    limits.uniqueTopKeys = false;
    JsonFault ended;
    ended.offset = body.size();
    ended.what = "the array does not end";
    return problem::ofEvent(checkJson(body, limits).value_or(ended));
}

// Positions are those in the body.
std::optional<HttpProblem> judge(QByteArrayView text, QByteArrayView body, qint64 eventBytes)
{
    if (auto fault = checkJson(text)) {
        fault->offset += text.data() - body.data();
        return problem::ofEvent(*fault);
    }
    if (JsonSlice(text).text().size() > eventBytes)
        return problem::eventTooLarge(eventBytes);
    return std::nullopt;
}

} // namespace

tl::expected<ReadEvents, HttpProblem> readEvent(QByteArrayView body, QByteArrayView idempotencyKey)
{
    if (const auto fault = checkJson(body))
        return tl::unexpected(problem::ofEvent(*fault));
    ReadEvents read;
    if (auto wrong = noteKey(read.request, idempotencyKey, body))
        return tl::unexpected(*std::move(wrong));
    read.request.events.append(body.toByteArray());
    return read;
}

tl::expected<ReadEvents, HttpProblem> readEventBatch(QByteArrayView body, QByteArrayView idempotencyKey,
                                                     qint64 eventBytes)
{
    if (batch_texts::isBlank(body))
        return tl::unexpected(problem::ofEvent(*checkJson(body)));
    const auto texts = batch_texts::isArray(body) ? batch_texts::elements(body, kMostEventsInBatch)
                                                  : batch_texts::lines(body, kMostEventsInBatch);
    if (!texts)
        return tl::unexpected(brokenArray(body));
    if (texts->isEmpty() || texts->size() > kMostEventsInBatch)
        return tl::unexpected(problem::invalidFields({{QString(), u"A batch must hold 1 to 500 events."_s}}));

    ReadEvents read;
    if (auto wrong = noteKey(read.request, idempotencyKey, body))
        return tl::unexpected(*std::move(wrong));
    for (qsizetype index = 0; index < texts->size(); ++index) {
        const QByteArrayView text = texts->at(index);
        if (auto problem = judge(text, body, eventBytes))
            read.rejected.append({index, *std::move(problem)});
        else
            read.request.events.append(JsonSlice(text).bytes());
    }
    return read;
}

} // namespace redrive
