#include "tests/bench/raw_telemetry.h"

#include "core/base/ids.h"
#include "tests/bench/engine_run.h"
#include "tests/bench/raw_database.h"

#include <QDateTime>

#include <algorithm>
#include <chrono>

namespace redrive::bench {

namespace {

constexpr int kPerTransaction = 100;

struct Waiting
{
    qint64 seq = 0;
    QByteArray id;
    QByteArray payload;
};

QByteArray columnText(sqlite3_stmt* statement, int column)
{
    return QByteArray(reinterpret_cast<const char*>(sqlite3_column_text(statement, column)),
                      sqlite3_column_bytes(statement, column));
}

class Loop
{
public:
    explicit Loop(const QString& path) : m_raw(path) {}

    void accept(int events, const QByteArray& payload)
    {
        for (int made = 0; made < events; made += kPerTransaction) {
            m_raw.step(m_begin);
            for (int i = 0; i < kPerTransaction; ++i) {
                const QByteArray id = newId(m_nowMs).toLatin1();
                bindText(m_message, 1, id);
                bindText(m_message, 2, payload);
                sqlite3_bind_int64(m_message, 3, payload.size());
                sqlite3_bind_int64(m_message, 4, m_nowMs);
                m_raw.step(m_message);
            }
            m_raw.step(m_commit);
        }
    }
    void persist(int events)
    {
        for (int ended = 0; ended < events;) {
            m_raw.step(m_begin);
            const std::vector<Waiting> batch = take();
            for (const Waiting& event : batch) {
                insert(event.id, event.payload);
                sqlite3_bind_int64(m_remove, 1, event.seq);
                m_raw.step(m_remove);
            }
            m_raw.step(m_commit);
            ended += int(batch.size());
        }
    }
    void oneByOne(int events, const QByteArray& payload)
    {
        for (int i = 0; i < events; ++i) {
            m_raw.step(m_begin);
            insert(newId(m_nowMs).toLatin1(), payload);
            m_raw.step(m_commit);
        }
    }

private:
    std::vector<Waiting> take()
    {
        std::vector<Waiting> batch;
        sqlite3_bind_int64(m_waiting, 1, m_nowMs);
        sqlite3_bind_int64(m_waiting, 2, kPerTransaction);
        while (sqlite3_step(m_waiting) == SQLITE_ROW)
            batch.push_back(
                {sqlite3_column_int64(m_waiting, 0), columnText(m_waiting, 1), columnText(m_waiting, 2)});
        sqlite3_reset(m_waiting);
        if (batch.empty())
            qFatal("the queue is empty too early");
        return batch;
    }
    void insert(const QByteArray& id, const QByteArray& payload)
    {
        bindText(m_row, 1, id);
        bindText(m_row, 2, payload);
        sqlite3_bind_int64(m_row, 3, m_nowMs);
        m_raw.step(m_row);
    }

    const qint64 m_nowMs = QDateTime::currentMSecsSinceEpoch();
    RawDatabase m_raw;
    sqlite3_stmt* m_begin = m_raw.prepare("BEGIN IMMEDIATE");
    sqlite3_stmt* m_commit = m_raw.prepare("COMMIT");
    sqlite3_stmt* m_message =
        m_raw.prepare("INSERT INTO messages (id, queue, is_job, content_type, body, size, sent_at_ms, "
                      "visible_at_ms) VALUES (?1, 'telemetry-ingest', 0, 'json', ?2, ?3, ?4, ?4)");
    sqlite3_stmt* m_waiting =
        m_raw.prepare("SELECT seq, id, body FROM messages WHERE queue = 'telemetry-ingest' AND "
                      "lease_instance IS NULL AND visible_at_ms <= ?1 ORDER BY visible_at_ms, seq LIMIT ?2");
    sqlite3_stmt* m_row = m_raw.prepare("INSERT INTO system_telemetry (id, source, tenant_id, payload, "
                                        "created_at) VALUES (?1, 'metric', 'acme', ?2, ?3)");
    sqlite3_stmt* m_remove = m_raw.prepare("DELETE FROM messages WHERE seq = ?1");
};

} // namespace

RawTelemetryRates rawTelemetry(const QString& path, int events, const QByteArray& payload)
{
    Loop loop(path);
    RawTelemetryRates rates;
    auto began = std::chrono::steady_clock::now();
    loop.accept(events, payload);
    rates.accepted = events / secondsSince(began);
    loop.persist(events);
    rates.persisted = events / secondsSince(began);
    began = std::chrono::steady_clock::now();
    const int few = std::max(events / 10, 1);
    loop.oneByOne(few, payload);
    rates.oneByOne = few / secondsSince(began);
    return rates;
}

} // namespace redrive::bench
