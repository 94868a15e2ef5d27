// A store with dead letters and a gate over it, for the gate's tests. One thread.
#pragma once

#include "core/engine/command_gate.h"
#include "core/engine/lone_turn.h"
#include "tests/support/manual_clock.h"
#include "tests/support/test_store.h"

namespace redrive::test {

struct GateFixture
{
    ManualClock clock;
    TestStore store;
    CommandGate gate{{u"jobs"_s, u"mail"_s}};
    ChangeSet changes; // of the last turn
    QSet<QString> queuesToLook;
    bool lookAtDeliveries = false;

    // A job that died in the second attempt of its first run, with its letter and the copy in `jobs-dlq`.
    void addDeadJob(const QString& id)
    {
        store.execute(
            u"INSERT INTO jobs (id, type, status, payload, error, queue, attempts, created_at, updated_at, "
            "created_at_ms, updated_at_ms, reason) VALUES ('%1', 'mail', 'dead', '{\"n\":1}', 'broke', "
            "'jobs', "
            "2, 1, 1, 1000, 1000, 'retries_used_up')"_s.arg(id));
        store.execute(
            u"INSERT INTO dead_letters (kind, subject_id, source_queue, dead_letter_queue, type, attempts, "
            "reason, sent_at_ms, dead_at_ms, changed_at_ms) VALUES ('job', '%1', 'jobs', 'jobs-dlq', 'mail', "
            "2, "
            "'retries_used_up', 1, 2, 2)"_s.arg(id));
        store.execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
                      "VALUES ('%1', 'jobs-dlq', 1, 7, 1, 1)"_s.arg(id));
    }

    void addDeadJobs(const QStringList& ids)
    {
        store.execute(u"BEGIN"_s);
        for (const QString& id : ids)
            addDeadJob(id);
        store.execute(u"COMMIT"_s);
    }

    // Waits for its retry, a minute away.
    void addWaitingJob(const QString& id, const QString& type = u"mail"_s)
    {
        const QString due = QString::number(clock.wallMs() + 60'000);
        store.execute(
            u"INSERT INTO jobs (id, type, status, payload, error, queue, attempts, due_at_ms, created_at, "
            "updated_at, created_at_ms, updated_at_ms, reason) VALUES ('%1', '%2', 'pending', '{\"n\":1}', "
            "'broke', 'jobs', 1, %3, 1, 1, 1000, 1000, 'retry')"_s.arg(id, type, due));
        store.execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, attempts) "
                      "VALUES ('%1', 'jobs', 1, 7, 1, %2, 1)"_s.arg(id, due));
    }

    void addWaitingJobs(const QStringList& ids)
    {
        store.execute(u"BEGIN"_s);
        for (const QString& id : ids)
            addWaitingJob(id);
        store.execute(u"COMMIT"_s);
    }

    void addDelivery(const QString& id, const QString& jobId, const QString& status)
    {
        store.execute(u"INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
                      "VALUES ('event-%1', '%1', 1, 'made', '{}', 1) ON CONFLICT DO NOTHING"_s.arg(jobId));
        store.execute(
            u"INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, event_id, job_id) "
            "VALUES ('%1', '%1', 'made', '%3', 'event-%2', '%2')"_s.arg(id, jobId, status));
    }

    // Of the endpoint acme: so many that failed once, beside others that were delivered.
    void addFailedDeliveries(int failed, int delivered)
    {
        store.execute(u"BEGIN"_s);
        store.execute(
            u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1) "
            "INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
            "SELECT printf('event-%06d', i), printf('job-%06d', i), 1, 'made', '{}', 1 FROM n"_s.arg(
                failed + delivered));
        store.execute(
            u"INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, event_id, job_id, "
            "attempts, spent, error, due_at_ms, created_at_ms, updated_at_ms) SELECT "
            "replace(id, 'event', 'delivery'), 'acme', event_type, 'failed', id, job_id, 1, 1, 'HTTP 500', "
            "%1, 1, 1000 FROM webhook_events"_s.arg(clock.wallMs() + 60'000));
        store.execute(u"UPDATE webhook_deliveries SET status = 'delivered', error = NULL, due_at_ms = NULL "
                      "WHERE substr(id, 10) > '%1'"_s.arg(failed, 6, 10, QChar(u'0')));
        store.execute(u"COMMIT"_s);
    }

    static ActionRequest request(ActionVerb verb, const QStringList& ids)
    {
        ActionRequest request;
        request.verb = verb;
        request.scope.ids = ids;
        request.actor = u"anna"_s;
        request.source = u"console"_s;
        return request;
    }

    static ActionRequest queueRequest(ActionVerb verb, const QString& queue)
    {
        ActionRequest asked = request(verb, {});
        asked.scope.queue = queue;
        return asked;
    }

    Status turn()
    {
        const auto done = runLoneTurn(store.db(), clock, [this](Cycle& cycle) {
            auto status = gate.apply(cycle);
            changes = cycle.changes;
            queuesToLook = cycle.queuesToLook;
            lookAtDeliveries = cycle.lookAtDeliveries;
            return status;
        });
        if (!done)
            gate.rolledBack(done.error());
        return done;
    }

    // Turns until the gate rests; the number of them.
    int settle()
    {
        int turns = 0;
        while (gate.hasWork(0, 0) && turns < 10'000) {
            if (!turn())
                return -1;
            ++turns;
        }
        return turns;
    }

    Result<ActionResult> act(ActionRequest asked)
    {
        Result<ActionResult> answer = fail(ErrorKind::Internal, u"no answer"_s);
        gate.submit(std::move(asked), [&answer](Result<ActionResult> result) { answer = std::move(result); });
        settle();
        return answer;
    }
};

} // namespace redrive::test
