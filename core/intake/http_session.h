// One connection as a state machine over bytes: requests in, answers out, in order. It knows no socket; the
// time is passed in. Intake thread.
#pragma once

#include "core/intake/answer_line.h"
#include "core/intake/http_parser.h"
#include "core/intake/http_service.h"
#include "core/intake/ingest_request.h"

namespace redrive {

class HttpSession final
{
public:
    HttpSession(HttpService& service, quint64 id, const ClientAddress& client, qint64 nowMs);

    void receive(QByteArrayView bytes, qint64 nowMs);
    // The client sends nothing more; what it asked for is still answered.
    void endOfInput();
    void complete(quint64 request, Completion completion, qint64 nowMs);
    // Time limits. To be called a few times a second.
    void tick(qint64 nowMs);
    // Answers at once without a request, and ends.
    void refuse(const HttpProblem& problem, qint64 nowMs);
    // After HttpService::stopping was set: ends now if nothing is due.
    void stop();

    // False: too much is open or unsent; what arrives must wait outside.
    bool wantsInput() const;
    const QByteArray& output() const { return m_answers.output(); }
    void sent(qsizetype bytes, qint64 nowMs);
    // Nothing will follow the output.
    bool isFinished() const { return m_ending && m_answers.isEmpty(); }
    // The client takes our answers too slowly: give it up.
    bool isStalled() const { return m_stalled; }

private:
    void run(qint64 nowMs);
    qsizetype consume(QByteArrayView input, qint64 nowMs);
    void onHead(qint64 nowMs);
    void onMessage(qint64 nowMs);
    void onFailure(const HttpProblem& problem, qint64 nowMs);
    void dispatch(quint64 slot);
    void enqueue(quint64 slot);
    void ingest(quint64 slot);

    quint64 openSlot(qint64 nowMs, bool close);
    void answer(quint64 slot, int status, const char* contentType, QByteArrayView body);
    void answerProblem(quint64 slot, const HttpProblem& problem);
    void answerEnqueued(quint64 slot, const Result<EnqueueReply>& reply);
    void answerIngested(quint64 slot, const Ingested& ingested);
    void refuseBatch(quint64 slot, const QList<RejectedEvent>& rejected);
    void answerHealth(quint64 slot, const Health& health);
    bool closesAfter(quint64 slot);
    Ticket ticket(quint64 slot) const { return {m_id, slot}; }

    void tickInput(qint64 nowMs);
    void noteAnswered(qint64 nowMs);
    void noteOutput(qint64 nowMs);

    HttpService& m_service;
    const quint64 m_id;
    const ClientAddress m_client;
    HttpParser m_parser;
    QByteArray m_input; // received, not read yet
    AnswerLine m_answers;

    // The request being read, valid between its head and its end.
    Admission m_admission;
    bool m_headOnly = false;
    std::optional<HttpProblem> m_verdict;
    QByteArray m_idempotencyKey; // null: not sent

    int m_requests = 0;
    bool m_ending = false; // no further request is read
    bool m_clientDone = false;
    bool m_paused = false;
    bool m_stalled = false;
    qint64 m_waitStart = 0; // of the head, the body, or the idle time
    qint64 m_writeStart = 0;
    qint64 m_written = 0; // since m_writeStart
};

} // namespace redrive
