// Dead letters in a store, of every kind and age. One thread.
#pragma once

#include "core/domain/dead_letter.h"
#include "tests/support/test_store.h"

namespace redrive::test {

class LetterMaker final
{
public:
    LetterMaker(TestStore& store, qint64 nowMs) : m_store(store), m_nowMs(nowMs) {}

    static constexpr qint64 kDay = 86'400'000;

    void letter(const QString& subject, const QString& kind, const QString& state, double daysOld,
                const QString& body = u"NULL"_s, const QString& contentType = u"json"_s)
    {
        const qint64 at = m_nowMs - qint64(daysOld * double(kDay));
        m_store.execute(
            u"INSERT INTO dead_letters (kind, subject_id, state, source_queue, dead_letter_queue, type, run, "
            "attempts, max_attempts, reason, error, content_type, body, sent_at_ms, dead_at_ms, "
            "changed_at_ms) VALUES ('%1', '%2', '%3', 'jobs', 'jobs-dlq', 't', 2, 4, 4, 'failed', "
            "'n\u00f6t h\u00e8re \U0001F600', '%4', %5, 5, %6, %6)"_s
                .arg(kind, subject, state, contentType, body)
                .arg(at));
    }
    void job(const QString& id, const QString& state, double daysOld, const QString& payload = u"'{}'"_s)
    {
        m_store.execute(
            u"INSERT INTO jobs (id, type, status, payload, error, queue, run, attempts, crashes, reason, "
            "discarded, created_at, updated_at, created_at_ms, updated_at_ms) VALUES ('%1', 't', 'dead', %2, "
            "'why', 'jobs', 2, 4, 1, 'failed', %3, 1, 1, 1234, 1234)"_s.arg(id, payload)
                .arg(state == u"discarded" ? 1 : 0));
        letter(id, u"job"_s, state, daysOld);
    }
    void delivery(const QString& id, const QString& state, double daysOld, const QString& body)
    {
        m_store.execute(u"INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
                        "VALUES ('e-%1', 'j-%1', 1, 't', %2, 77)"_s.arg(id, body));
        m_store.execute(
            u"INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, error, event_id, job_id, "
            "url, settings, attempts, spent, budget, retry_base_ms, reason, created_at, created_at_ms, "
            "updated_at_ms) VALUES ('%1', 'acme', 't', 'dead', 'HTTP 500', 'e-%1', 'j-%1', "
            "'https://acme.example/h', '{\"id\": \"acme\"}', 5, 4, 4, 2000, 'failed', 1, 1500, 1600)"_s.arg(
                id));
        letter(id, u"delivery"_s, state, daysOld);
        m_store.execute(u"UPDATE dead_letters SET endpoint_id = 'acme' WHERE subject_id = '%1'"_s.arg(id));
    }

private:
    TestStore& m_store;
    qint64 m_nowMs;
};

} // namespace redrive::test
