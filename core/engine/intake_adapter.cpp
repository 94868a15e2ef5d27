#include "core/engine/intake_adapter.h"

#include "core/engine/metrics_text.h"

#include <QDateTime>

namespace redrive {

namespace {

std::optional<IdempotencyKey> keyOf(const KeyedRequest& request)
{
    if (!request.idempotencyKey)
        return std::nullopt;
    return IdempotencyKey{request.route, request.token, *request.idempotencyKey, request.bodyHash};
}

QString timeOf(const ArchiveProblem& problem)
{
    return QDateTime::fromMSecsSinceEpoch(problem.sinceMs, Qt::UTC).toString(Qt::ISODate);
}

} // namespace

void IntakeAdapter::enqueue(EnqueueRequest request, std::function<void(Result<EnqueueReply>)> reply)
{
    JobSubmission submission;
    submission.idempotencyKey = keyOf(request);
    submission.jobs = std::move(request.jobs);
    submission.reply = [reply = std::move(reply)](Result<EnqueuedJobs> answer) {
        if (answer)
            reply(EnqueueReply{std::move(answer->ids), answer->duplicate});
        else
            reply(fail(std::move(answer.error())));
    };
    m_parts.submit(std::move(submission));
}

void IntakeAdapter::ingest(IngestRequest request, std::function<void(Result<IngestReply>)> reply)
{
    EventSubmission submission;
    submission.idempotencyKey = keyOf(request);
    submission.events = std::move(request.events);
    submission.intoTable = request.intoTable;
    submission.reply = [reply = std::move(reply)](Result<StoredIds> answer) {
        if (answer)
            reply(IngestReply{std::move(answer->ids), answer->duplicate});
        else
            reply(fail(std::move(answer.error())));
    };
    m_parts.submitEvents(std::move(submission));
}

void IntakeAdapter::job(QString id, std::function<void(Result<QByteArray>)> reply)
{
    m_parts.reader.jobStatus(id, [reply = std::move(reply)](Result<std::optional<QByteArray>> answer) {
        if (!answer)
            reply(fail(std::move(answer.error())));
        else if (!*answer)
            reply(fail(ErrorKind::NotFound, u"no such job"_s));
        else
            reply(std::move(**answer));
    });
}

void IntakeAdapter::metrics(std::function<void(Result<QByteArray>)> reply)
{
    m_parts.counts([reply = std::move(reply), parts = &m_parts](Result<StoreCounts> counts) {
        if (counts) {
            const EngineHealth health = parts->health();
            reply(metricsText(*counts, health, parts->http(), parts->telemetryQueue, parts->nowMs()));
        } else {
            reply(fail(std::move(counts.error())));
        }
    });
}

void IntakeAdapter::health(std::function<void(Health)> reply)
{
    const EngineHealth health = m_parts.health();
    Health answer{health.running && health.problems.isEmpty(), health.problems, {}};
    if (health.offlineSinceMs)
        answer.notices.append(u"offline: no endpoint beyond this machine can be reached"_s);
    if (const auto& problem = health.archive.writing)
        answer.notices.append(u"archive: dead letters cannot be written to its folder since "_s +
                              timeOf(*problem));
    if (const auto& problem = health.archive.copying)
        answer.notices.append(u"archive: its files are not copied to the bucket since "_s + timeOf(*problem));
    if (!health.alertFailures.isEmpty())
        answer.notices.append(
            u"alerts: nothing arrives at %1 of the targets"_s.arg(health.alertFailures.size()));
    if (!health.telemetry.waitsBecause.isEmpty())
        answer.notices.append(u"telemetry: events are kept and cannot be written to their table"_s);
    reply(answer);
}

} // namespace redrive
