#include "core/intake/job_batch.h"

#include "core/base/json_gate.h"
#include "core/intake/batch_texts.h"

namespace redrive {

namespace {

using Texts = tl::expected<QList<QByteArrayView>, HttpProblem>;

tl::unexpected<HttpProblem> wrongCount()
{
    return tl::unexpected(problem::invalidFields({{QString(), u"A batch must hold 1 to 100 jobs."_s}}));
}

tl::unexpected<HttpProblem> ofJob(HttpProblem problem, qsizetype index)
{
    problem.index = index;
    return tl::unexpected(std::move(problem));
}

// The texts of the elements. What must hold for each job by itself is checked there.
Texts elementsOf(QByteArrayView body)
{
    JsonLimits limits;
    limits.uniqueTopKeys = false;
    if (const auto fault = checkJson(body, limits))
        return tl::unexpected(problem::fromJson(*fault));
    QList<QByteArrayView> texts;
    const JsonSlice array(body);
    for (JsonElements elements(array); elements.next();) {
        if (texts.size() == kMostJobsInBatch)
            return wrongCount();
        texts.append(elements.value().text());
    }
    return texts;
}

Texts linesOf(QByteArrayView body)
{
    QList<QByteArrayView> texts = batch_texts::lines(body, kMostJobsInBatch);
    if (texts.size() > kMostJobsInBatch)
        return wrongCount();
    return texts;
}

} // namespace

tl::expected<EnqueueRequest, HttpProblem> readJobBatch(QByteArrayView body, QByteArrayView idempotencyKey,
                                                       const PayloadRules& rules, qint64 jobBytes)
{
    if (batch_texts::isBlank(body))
        return tl::unexpected(problem::fromJson(*checkJson(body)));
    auto texts = batch_texts::isArray(body) ? elementsOf(body) : linesOf(body);
    if (!texts)
        return tl::unexpected(std::move(texts.error()));
    if (texts->isEmpty())
        return wrongCount();

    EnqueueRequest request;
    QList<FieldProblem> wrong;
    for (qsizetype index = 0; index < texts->size(); ++index) {
        const QByteArrayView text = texts->at(index);
        if (auto fault = checkJson(text)) {
            fault->offset += text.data() - body.data();
            return ofJob(problem::fromJson(*fault), index);
        }
        const JsonSlice root(text);
        if (root.text().size() > jobBytes)
            return tl::unexpected(problem::itemTooLarge(index, jobBytes));
        ReadJob read = readJob(root, rules);
        for (FieldProblem& field : read.wrong) {
            field.index = index;
            wrong.append(std::move(field));
        }
        if (read.refused && wrong.isEmpty())
            return ofJob(std::move(*read.refused), index);
        request.jobs.push_back(std::move(read.job));
    }
    checkIdempotencyKey(idempotencyKey, wrong);
    if (!wrong.isEmpty())
        return tl::unexpected(problem::invalidFields(std::move(wrong)));
    request.route = u"/jobs/batch"_s;
    noteIdempotencyKey(request, idempotencyKey, body);
    return request;
}

} // namespace redrive
