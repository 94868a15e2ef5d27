#include "core/intake/http_session.h"

#include "core/intake/ingest_answer.h"
#include "core/intake/job_batch.h"

namespace redrive {

namespace {
constexpr qsizetype kKeptCapacity = 4096;
constexpr QByteArrayView kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
} // namespace

HttpSession::HttpSession(HttpService& service, quint64 id, const ClientAddress& client, qint64 nowMs)
    : m_service(service), m_id(id), m_client(client), m_parser(service.limits), m_waitStart(nowMs)
{
}

void HttpSession::receive(QByteArrayView bytes, qint64 nowMs)
{
    if (m_ending)
        return;
    // The time for a head runs from its first byte; for the first one from the start of the connection.
    if (m_requests > 0 && !m_parser.inBody() && !m_parser.inHead() && m_input.isEmpty())
        m_waitStart = nowMs;
    if (m_input.isEmpty()) {
        const qsizetype used = consume(bytes, nowMs);
        if (!m_ending && used < bytes.size())
            m_input.append(bytes.data() + used, bytes.size() - used);
    } else {
        m_input.append(bytes.data(), bytes.size());
        run(nowMs);
    }
    noteOutput(nowMs);
}

void HttpSession::run(qint64 nowMs)
{
    const qsizetype used = consume(m_input, nowMs);
    if (m_ending || (used == m_input.size() && m_input.capacity() > kKeptCapacity))
        m_input.clear();
    else
        m_input.remove(0, used);
}

// How many of the bytes are done with.
qsizetype HttpSession::consume(QByteArrayView input, qint64 nowMs)
{
    qsizetype used = 0;
    while (!m_ending) {
        if (!wantsInput()) {
            m_paused = true;
            break;
        }
        qsizetype consumed = 0;
        const HttpParser::Event event = m_parser.advance(input.sliced(used), consumed);
        used += consumed;
        if (event == HttpParser::Event::NeedMore)
            break;
        if (event == HttpParser::Event::Failed)
            onFailure(m_parser.problem(), nowMs);
        else if (event == HttpParser::Event::Head)
            onHead(nowMs);
        else
            onMessage(nowMs);
    }
    return used;
}

void HttpSession::onHead(qint64 nowMs)
{
    const HttpHead& head = m_parser.head();
    m_waitStart = nowMs;
    m_headOnly = head.method == "HEAD";
    m_verdict = m_service.judge(head, m_client, m_admission);
    const bool awaitsGo = head.has(HttpField::Expect) && head.minorVersion > 0 && head.hasBody();
    if (m_verdict) {
        // A body that will not be sent, or is too long to be skipped, ends the connection.
        const bool tooLong =
            head.contentLength.value_or(0) > quint64(m_service.bodyLimit(m_admission.match.route));
        if (m_verdict->close || awaitsGo || tooLong)
            onFailure(*m_verdict, nowMs);
        else
            m_parser.dropBody();
        return;
    }
    if (takesBody(m_admission.match.route))
        m_parser.setBodyLimit(m_service.bodyLimit(m_admission.match.route));
    else
        m_parser.dropBody();
    m_idempotencyKey = head.has(HttpField::IdempotencyKey)
                           ? QByteArray(head.field(HttpField::IdempotencyKey).data(),
                                        head.field(HttpField::IdempotencyKey).size())
                           : QByteArray();
    if (awaitsGo) {
        const quint64 slot = m_answers.open(nowMs, false, false);
        m_answers.fill(slot, [](QByteArray& out) { out.append(kContinue.data(), kContinue.size()); });
    }
}

void HttpSession::onMessage(qint64 nowMs)
{
    const bool close = !m_parser.keepAlive() || ++m_requests >= m_service.limits.requestsPerConnection;
    const quint64 slot = openSlot(nowMs, close);
    if (m_verdict)
        answerProblem(slot, *m_verdict);
    else
        dispatch(slot);
    m_parser.reset();
    m_waitStart = nowMs;
}

void HttpSession::onFailure(const HttpProblem& problem, qint64 nowMs)
{
    // A body that breaks off must not hide why the request was refused anyway.
    const HttpProblem shown = m_parser.inBody() && m_verdict ? *m_verdict : problem;
    if (!m_parser.inBody())
        m_headOnly = false;
    answerProblem(openSlot(nowMs, true), shown);
}

quint64 HttpSession::openSlot(qint64 nowMs, bool close)
{
    m_service.counters.requests.fetch_add(1, std::memory_order_relaxed);
    m_ending = m_ending || close;
    return m_answers.open(nowMs, m_headOnly, close);
}

void HttpSession::dispatch(quint64 slot)
{
    const auto reply = [queue = m_service.completions, at = ticket(slot)](auto outcome) {
        queue->push({at, std::move(outcome)});
    };
    switch (m_admission.match.route) {
    case Route::Jobs:
    case Route::JobsBatch:
        enqueue(slot);
        break;
    case Route::Ingest:
    case Route::IngestBatch:
    case Route::IngestSync:
        ingest(slot);
        break;
    case Route::Job:
        m_service.port.job(m_admission.match.id, reply);
        break;
    case Route::Metrics:
        m_answers.waiting(slot)->contentType = kMetricsType;
        m_service.port.metrics(reply);
        break;
    case Route::Health:
        m_service.port.health(reply);
        break;
    case Route::None:
        answerProblem(slot, problem::notFound());
        break;
    }
}

void HttpSession::enqueue(quint64 slot)
{
    const bool batch = m_admission.match.route == Route::JobsBatch;
    auto request = batch ? readJobBatch(m_parser.body(), m_idempotencyKey, m_service.payloads,
                                        m_service.limits.bodyBytes)
                         : readJobRequest(m_parser.body(), m_idempotencyKey, m_service.payloads);
    if (!request) {
        answerProblem(slot, request.error());
        return;
    }
    request->token = m_admission.token;
    m_answers.waiting(slot)->route = m_admission.match.route;
    m_service.port.enqueue(std::move(*request),
                           [queue = m_service.completions, at = ticket(slot)](Result<EnqueueReply> reply) {
                               queue->push({at, std::move(reply)});
                           });
}

void HttpSession::ingest(quint64 slot)
{
    const Route route = m_admission.match.route;
    HttpCounters::Events& counted = m_service.counters.events(route);
    auto read = route == Route::IngestBatch
                    ? readEventBatch(m_parser.body(), m_idempotencyKey, m_service.limits.bodyBytes)
                    : readEvent(m_parser.body(), m_idempotencyKey);
    counted.rejected += quint64(read ? read->rejected.size() : 1);
    if (!read) {
        answerProblem(slot, read.error());
        return;
    }
    auto& [request, rejected] = *read;
    if (request.events.isEmpty()) {
        refuseBatch(slot, rejected);
        return;
    }
    request.intoTable = route == Route::IngestSync;
    request.route = routePath(route);
    request.token = m_admission.token;
    m_answers.waiting(slot)->route = route;
    m_service.port.ingest(std::move(request),
                          [queue = m_service.completions, at = ticket(slot), errors = eventErrors(rejected),
                           count = rejected.size()](Result<IngestReply> reply) {
                              queue->push({at, Ingested{std::move(reply), errors, count}});
                          });
}

void HttpSession::complete(quint64 request, Completion completion, qint64 nowMs)
{
    if (!m_answers.waiting(request))
        return;
    if (const auto* enqueued = std::get_if<Result<EnqueueReply>>(&completion.outcome)) {
        answerEnqueued(request, *enqueued);
    } else if (const auto* ingested = std::get_if<Ingested>(&completion.outcome)) {
        answerIngested(request, *ingested);
    } else if (const auto* health = std::get_if<Health>(&completion.outcome)) {
        answerHealth(request, *health);
    } else if (const auto& body = std::get<Result<QByteArray>>(completion.outcome); body) {
        answer(request, 200, m_answers.waiting(request)->contentType, *body);
    } else {
        answerProblem(request, problem::fromError(body.error()));
    }
    noteAnswered(nowMs);
    noteOutput(nowMs);
}

void HttpSession::endOfInput()
{
    m_clientDone = true;
    m_ending = true;
}

void HttpSession::refuse(const HttpProblem& problem, qint64 nowMs)
{
    m_headOnly = false;
    m_ending = true;
    answerProblem(m_answers.open(nowMs, false, true), problem);
    noteOutput(nowMs);
}

void HttpSession::stop()
{
    const bool idle = m_answers.isEmpty() && m_input.isEmpty() && !m_parser.inHead() && !m_parser.inBody();
    m_ending = m_ending || idle;
}

bool HttpSession::wantsInput() const
{
    return m_answers.count() < m_service.limits.openAnswers &&
           m_answers.output().size() < m_service.limits.unsentBytes;
}

void HttpSession::sent(qsizetype bytes, qint64 nowMs)
{
    m_answers.sent(bytes);
    m_written += bytes;
    if (m_answers.output().isEmpty())
        m_writeStart = 0;
    if (!m_paused || m_ending || !wantsInput())
        return;
    m_paused = false;
    m_waitStart = nowMs;
    run(nowMs);
    noteOutput(nowMs);
}

} // namespace redrive
