// HttpSession: what it answers, and when it has waited long enough.
#include "core/intake/http_session.h"

#include "core/base/ids.h"
#include "core/base/json_text.h"
#include "core/intake/ingest_answer.h"

namespace redrive {

namespace {

void appendTexts(QByteArray& body, const char* key, const QStringList& texts)
{
    body.append(key).append('[');
    for (qsizetype i = 0; i < texts.size(); ++i) {
        body += i == 0 ? "" : ",";
        appendJsonString(body, texts[i]);
    }
    body += ']';
}

} // namespace

bool HttpSession::closesAfter(quint64 slot)
{
    const AnswerLine::Slot& waiting = *m_answers.waiting(slot);
    const bool last = slot + 1 == m_answers.frontNumber() + quint64(m_answers.count());
    if (m_service.stopping && last && m_input.isEmpty() && !m_parser.inBody())
        m_ending = true;
    return waiting.close || (m_ending && last);
}

void HttpSession::answer(quint64 slot, int status, const char* contentType, QByteArrayView body)
{
    const ResponseStyle style{closesAfter(slot), m_answers.waiting(slot)->headOnly};
    m_answers.fill(slot, [&](QByteArray& out) {
        appendResponse(out, m_service.date, status, contentType, body, style);
    });
}

void HttpSession::answerProblem(quint64 slot, const HttpProblem& problem)
{
    m_service.counters.refused.fetch_add(1, std::memory_order_relaxed);
    m_ending = m_ending || problem.close;
    const ResponseStyle style{closesAfter(slot), m_answers.waiting(slot)->headOnly};
    m_answers.fill(slot, [&](QByteArray& out) {
        appendProblem(out, m_service.date, problem, newId(m_service.clock.wallMs()), style);
    });
}

void HttpSession::answerEnqueued(quint64 slot, const Result<EnqueueReply>& reply)
{
    if (!reply) {
        answerProblem(slot, problem::fromError(reply.error()));
        return;
    }
    QByteArray body;
    const bool batch = m_answers.waiting(slot)->route == Route::JobsBatch;
    body.reserve(40 + 40 * reply->jobIds.size());
    body += batch ? "{\"jobIds\":[" : "{\"jobId\":";
    for (qsizetype i = 0; i < reply->jobIds.size(); ++i) {
        body += i == 0 ? "" : ",";
        appendJsonString(body, QStringView(reply->jobIds[i]));
    }
    body += batch ? "]" : "";
    body += reply->duplicate ? ",\"duplicate\":true}" : "}";
    answer(slot, 202, kJsonType, body);
}

void HttpSession::answerIngested(quint64 slot, const Ingested& ingested)
{
    const auto& [reply, errors, rejected] = ingested;
    const Route route = m_answers.waiting(slot)->route;
    HttpCounters::Events& counted = m_service.counters.events(route);
    if (!reply) {
        const HttpProblem problem = problem::ofEvent(reply.error());
        counted.rejected += problem.status == 422 && reply.error().kind != ErrorKind::Conflict;
        answerProblem(slot, problem);
        return;
    }
    if (!reply->duplicate)
        counted.accepted += quint64(reply->eventIds.size());
    if (route == Route::IngestBatch)
        answer(slot, 202, kJsonType, eventBatchAnswer(*reply, errors, rejected));
    else
        answer(slot, route == Route::IngestSync ? 201 : 202, kJsonType,
               eventAnswer(*reply, route == Route::IngestSync));
}

void HttpSession::refuseBatch(quint64 slot, const QList<RejectedEvent>& rejected)
{
    m_service.counters.refused.fetch_add(1, std::memory_order_relaxed);
    answer(slot, 422, kJsonType, eventBatchRefusal(rejected, newId(m_service.clock.wallMs())));
}

void HttpSession::answerHealth(quint64 slot, const Health& health)
{
    if (health.ok) {
        QByteArray body = "{\"status\":\"ok\"";
        if (!health.notices.isEmpty())
            appendTexts(body, ",\"notices\":", health.notices);
        answer(slot, 200, kJsonType, body + '}');
        return;
    }
    HttpProblem unhealthy{.status = 503, .code = "unhealthy", .text = u"The engine is not healthy."_s};
    QByteArray body = problemBody(unhealthy, newId(m_service.clock.wallMs()));
    body.chop(1);
    appendTexts(body, ",\"status\":\"unavailable\",\"reasons\":", health.reasons);
    m_service.counters.refused.fetch_add(1, std::memory_order_relaxed);
    answer(slot, 503, kJsonType, body + '}');
}

void HttpSession::noteOutput(qint64 nowMs)
{
    if (m_writeStart > 0 || m_answers.output().isEmpty())
        return;
    m_writeStart = nowMs;
    m_written = 0;
}

// A connection is idle from its last answer on.
void HttpSession::noteAnswered(qint64 nowMs)
{
    if (m_answers.isEmpty() && !m_parser.inHead() && !m_parser.inBody())
        m_waitStart = nowMs;
}

void HttpSession::tick(qint64 nowMs)
{
    const HttpLimits& limits = m_service.limits;
    while (!m_answers.isEmpty() && nowMs - m_answers.front().sinceMs >= limits.answerMs) {
        answerProblem(m_answers.frontNumber(), problem::dbBusy());
        noteAnswered(nowMs);
    }
    if (m_writeStart > 0 && nowMs - m_writeStart >= limits.bodyMs + m_written * 1000 / 1024)
        m_stalled = true;
    if (!m_ending && !m_paused)
        tickInput(nowMs);
    noteOutput(nowMs);
}

void HttpSession::tickInput(qint64 nowMs)
{
    const HttpLimits& limits = m_service.limits;
    const qint64 waited = nowMs - m_waitStart;
    if (m_parser.inBody()) {
        if (waited >= limits.bodyMs + m_parser.bodyReceived() * 1000 / 1024)
            onFailure(problem::requestTimeout(), nowMs);
        return;
    }
    const bool idle = !m_parser.inHead() && m_requests > 0;
    if (!idle && waited >= limits.headerMs)
        onFailure(problem::requestTimeout(), nowMs);
    else if (idle && m_answers.isEmpty() && waited >= limits.keepAliveMs)
        m_ending = true;
}

} // namespace redrive
