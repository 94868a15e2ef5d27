#include "tests/support/big_store.h"

#include "core/db/checkpoint.h"
#include "core/db/migrator.h"
#include "core/db/transaction.h"

namespace redrive::test {

namespace {

constexpr qint64 kSpanMs = 6 * 86'400'000LL; // younger than any retention
constexpr qint64 kRecentMs = 6 * 3'600'000LL;
constexpr qint64 kRowsOfPart = 50'000; // of one transaction

// Version 7 ids that sort by their time: %1 is a number in ms, %2 one that tells rows of one ms apart.
QString idOf(const QString& ms, const QString& number)
{
    return u"printf('%08x-%04x-7%03x-%04x-%012x', (%1) >> 16, (%1) & 65535, (%2) & 4095, "_s
           u"32768 | ((%2 * 40503) & 16383), (%2 * 2654435761) & 281474976710655)"_s.replace(u"%1"_s, ms)
               .replace(u"%2"_s, number);
}

// Rows numbered from :from below :to as the table n(i).
QString numbers(qint64 from, qint64 to)
{
    return u"WITH RECURSIVE n(i) AS (SELECT %1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %2) "_s.arg(from)
        .arg(to);
}

QString typeOf(const QString& number)
{
    return u"CASE (%1) % 10 WHEN 0 THEN 'webhook_fanout' WHEN 1 THEN 'webhook_fanout' WHEN 2 THEN 'send_email' "_s
           u"WHEN 3 THEN 'send_email' WHEN 4 THEN 'send_email' WHEN 5 THEN 'process_file' WHEN 6 THEN "_s
           u"'resize_image' WHEN 7 THEN 'resize_image' WHEN 8 THEN 'sync_account' ELSE 'rebuild_index' END"_s
               .replace(u"%1"_s, number);
}

QString payloadOf(const QString& number)
{
    return uR"(printf('{"account":%d,"order":"A-%07d","amount":%d.%02d,"note":"%s"}', (%1) % 5003, %1,
        (%1) % 900, (%1) % 100, substr('the quick brown fox jumps over the lazy dog and runs on through the dark '
        || 'woods until it sleeps under a fallen tree', 1, 20 + (%1) % 90)))"_s.replace(u"%1"_s, number);
}

QString errorOf(const QString& number)
{
    return u"CASE (%1) % 4 WHEN 0 THEN 'HTTP 503: upstream is busy, try again' WHEN 1 THEN 'connection to "_s
           u"10.2.0.' || ((%1) % 250) || ' timed out after 5000 ms' WHEN 2 THEN 'SMTP 550: no such user' ELSE "_s
           u"'exit 1: cannot read input file ' || ((%1) % 977) END"_s.replace(u"%1"_s, number);
}

class Filler final
{
public:
    Filler(Connection& db, const BigStoreShape& shape, qint64 nowMs)
        : m_db(db), m_shape(shape), m_nowMs(nowMs)
    {
        m_stepMs = std::max<qint64>(1, kSpanMs / std::max<qint64>(1, shape.finished + 1));
    }

    Status run()
    {
        for (qint64 from = 0; from < m_shape.finished; from += kRowsOfPart)
            REDRIVE_TRY(
                inOne([&] { return finished(from, std::min(from + kRowsOfPart, m_shape.finished)); }));
        REDRIVE_TRY(inOne([this] { return fanOuts(); }));
        REDRIVE_TRY(inOne([this] { return dead(); }));
        REDRIVE_TRY(inOne([this] { return timers(); }));
        const qint64 older = m_shape.telemetry / 2;
        REDRIVE_TRY(telemetry(0, older, m_nowMs - kSpanMs, m_nowMs - kRecentMs));
        REDRIVE_TRY(telemetry(older, m_shape.telemetry, m_nowMs - kRecentMs, m_nowMs));
        return m_shape.telemetry > 0 ? inOne([this] { return countTelemetry(); }) : Status();
    }

private:
    template <typename Work>
    Status inOne(Work work)
    {
        REDRIVE_ASSIGN(transaction, Transaction::begin(m_db));
        REDRIVE_TRY(work());
        return transaction.commit();
    }

    QString time(const QString& number, qint64 startMs, qint64 stepMs) const
    {
        return u"(%1 + (%2) * %3)"_s.arg(startMs).arg(number).arg(stepMs);
    }
    QString finishedMs() const { return time(u"i"_s, m_nowMs - kSpanMs, m_stepMs); }

    Status finished(qint64 from, qint64 to)
    {
        const QString made = finishedMs();
        const QString id = idOf(made, u"i"_s);
        REDRIVE_TRY(m_db.execute(
            numbers(from, to) +
            u"INSERT INTO jobs (id, type, status, payload, created_at, updated_at, queue, attempts, "_s
            u"created_at_ms, updated_at_ms, reason) SELECT "_s +
            id + u", "_s + typeOf(u"i"_s) + u", CASE WHEN i % 50 = 49 THEN 'cancelled' ELSE 'done' END, "_s +
            payloadOf(u"i"_s) + u", "_s + made + u" / 1000, "_s + made +
            u" / 1000 + 1, CASE i % 7 WHEN 0 THEN 'mail' WHEN 1 THEN 'images' ELSE 'jobs' END, "_s
            u"CASE WHEN i % 40 = 7 THEN 2 ELSE 1 END, "_s +
            made + u", "_s + made + u" + 40 + i % 900, NULL FROM n"_s));
        // One that was tried twice has an attempt that failed.
        return m_db.execute(
            numbers(from, to) +
            u"INSERT INTO job_attempts (job_id, run, attempt, instance_no, started_at_ms, finished_at_ms, "_s
            u"outcome, error, next_at_ms) SELECT "_s +
            id + u", 1, a.no, 1, "_s + made + u" + a.no * 20, "_s + made +
            u" + a.no * 20 + i % 900, CASE WHEN a.no = 1 AND i % 40 = 7 THEN 'failed' ELSE 'done' END, "_s
            u"CASE WHEN a.no = 1 AND i % 40 = 7 THEN "_s +
            errorOf(u"i"_s) +
            u" END, NULL FROM n JOIN (SELECT 1 AS no UNION ALL SELECT 2) a "_s
            u"WHERE a.no = 1 OR i % 40 = 7 ORDER BY i, a.no"_s);
    }

    Status fanOuts()
    {
        const qint64 count = std::min(m_shape.fanOuts, m_shape.finished / 10);
        if (count == 0)
            return {};
        // Every tenth of the newest is one.
        const QString number = u"(%1 - 10 * (%2 - i))"_s.arg(m_shape.finished / 10 * 10).arg(count);
        const QString made = time(number, m_nowMs - kSpanMs, m_stepMs);
        const QString job = idOf(made, number);
        const QString event = u"'e-' || "_s + job;
        REDRIVE_TRY(m_db.execute(numbers(0, count) +
                                 u"INSERT INTO webhook_events (id, job_id, run, event_type, body, "_s
                                 u"created_at_ms) SELECT "_s +
                                 event + u", "_s + job +
                                 uR"(, 1, 'order.paid', '{"event":"order.paid","data":{"n":' || i ||
                                 '},"timestamp":0}', )"_s +
                                 made + u" FROM n"_s));
        return m_db.execute(
            numbers(0, count) +
            u"INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, created_at, event_id, job_id, "_s
            u"url, attempts, spent, created_at_ms, updated_at_ms) SELECT "_s +
            idOf(made, u"(i * 4 + p.no)"_s) + u", p.name, 'order.paid', 'delivered', "_s + made +
            u" / 1000, "_s + event + u", "_s + job + u", 'https://' || p.name || '.example/hook', 1, 1, "_s +
            made + u", "_s + made +
            u" + 120 FROM n JOIN (SELECT 0 AS no, 'acme' AS name UNION ALL SELECT 1, 'billing' UNION ALL "_s
            u"SELECT 2, 'crm' UNION ALL SELECT 3, 'warehouse') p"_s);
    }

    Status dead()
    {
        if (m_shape.dead == 0)
            return {};
        const QString made = time(u"i"_s, m_nowMs - 86'400'000, 86'400'000 / (m_shape.dead + 1));
        const QString id = idOf(made, u"(i + 500000009)"_s);
        REDRIVE_TRY(m_db.execute(
            numbers(0, m_shape.dead) +
            u"INSERT INTO jobs (id, type, status, payload, error, created_at, updated_at, queue, attempts, "_s
            u"created_at_ms, updated_at_ms, reason) SELECT "_s +
            id + u", "_s + typeOf(u"i"_s) + u", 'dead', "_s + payloadOf(u"i"_s) + u", "_s + errorOf(u"i"_s) +
            u", "_s + made + u" / 1000, "_s + made + u" / 1000 + 90, 'jobs', 4, "_s + made + u", "_s + made +
            u" + 90000, 'retries_used_up' FROM n"_s));
        return m_db.execute(
            numbers(0, m_shape.dead) +
            u"INSERT INTO dead_letters (kind, subject_id, source_queue, dead_letter_queue, type, attempts, "_s
            u"max_attempts, reason, error, sent_at_ms, dead_at_ms, changed_at_ms) SELECT 'job', "_s +
            id + u", 'jobs', 'jobs-dlq', "_s + typeOf(u"i"_s) + u", 4, 4, 'retries_used_up', "_s +
            errorOf(u"i"_s) + u", "_s + made + u", "_s + made + u" + 90000, "_s + made +
            u" + 90000 FROM n"_s);
    }

    Status timers()
    {
        if (m_shape.timers == 0)
            return {};
        const QString made = time(u"i"_s, m_nowMs - 3'600'000, 3'600'000 / (m_shape.timers + 1));
        const QString due = time(u"i"_s, m_nowMs + 86'400'000, 86'400'000 / (m_shape.timers + 1));
        const QString id = idOf(made, u"(i + 700000001)"_s);
        REDRIVE_TRY(m_db.execute(
            numbers(0, m_shape.timers) +
            u"INSERT INTO jobs (id, type, status, payload, error, created_at, updated_at, queue, attempts, "_s
            u"due_at_ms, created_at_ms, updated_at_ms, reason) SELECT "_s +
            id + u", "_s + typeOf(u"i"_s) + u", 'pending', "_s + payloadOf(u"i"_s) + u", "_s +
            errorOf(u"i"_s) + u", "_s + made + u" / 1000, "_s + made + u" / 1000 + 2, 'jobs', 2, "_s + due +
            u", "_s + made + u", "_s + made + u" + 2000, 'retry' FROM n"_s));
        return m_db.execute(numbers(0, m_shape.timers) +
                            u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms, "_s
                            u"attempts) SELECT "_s +
                            id + u", 'jobs', 1, 120, "_s + made + u", "_s + due + u", 2 FROM n"_s);
    }

    Status telemetry(qint64 from, qint64 to, qint64 beginMs, qint64 endMs)
    {
        const QString made = u"(%1 + (i - %2) * %3 / %4)"_s.arg(beginMs)
                                 .arg(from)
                                 .arg(endMs - beginMs)
                                 .arg(std::max<qint64>(1, to - from));
        for (qint64 part = from; part < to; part += kRowsOfPart)
            REDRIVE_TRY(inOne([&] {
                return m_db.execute(
                    numbers(part, std::min(part + kRowsOfPart, to)) +
                    u"INSERT INTO system_telemetry (id, source, tenant_id, payload, created_at) SELECT "_s +
                    idOf(made, u"(i + 900000007)"_s) +
                    u", source, tenant, json_object('source', source, 'tenantId', tenant, 'name', "_s
                    u"'http.request', 'route', '/v1/orders/' || (i % 9973), 'status', CASE i % 53 WHEN 0 THEN "_s
                    u"500 ELSE 200 END, 'ms', i % 1789, 'host', 'web-' || (i % 12)), made FROM (SELECT i, "_s +
                    made +
                    u" AS made, CASE i % 5 WHEN 0 THEN 'audit' ELSE 'metric' END AS source, 'tenant-' || "_s
                    u"(i / 5 * 7919 % 100) AS tenant FROM n)"_s);
            }));
        return {};
    }

    Status countTelemetry()
    {
        return m_db.execute(u"UPDATE telemetry_size SET (row_count, bytes) = (SELECT count(*), "_s
                            u"sum(length(CAST(payload AS BLOB))) FROM system_telemetry)"_s);
    }

    Connection& m_db;
    BigStoreShape m_shape;
    qint64 m_nowMs;
    qint64 m_stepMs = 1;
};

} // namespace

Status fillBigStore(const DatabaseTarget& target, const BigStoreShape& shape, qint64 nowMs)
{
    REDRIVE_ASSIGN(db, openStore(target, Access::Writer, nowMs));
    REDRIVE_TRY(db->execute(u"PRAGMA synchronous=OFF"_s));
    REDRIVE_TRY(db->execute(u"PRAGMA wal_autocheckpoint=4000"_s));
    REDRIVE_TRY(Filler(*db, shape, nowMs).run());
    return checkpoint(*db, CheckpointMode::Truncate);
}

} // namespace redrive::test
