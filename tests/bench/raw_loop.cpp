#include "tests/bench/raw_loop.h"

#include "core/base/ids.h"
#include "tests/bench/raw_database.h"

#include <QDateTime>

#include <chrono>
#include <vector>

namespace redrive::bench {

namespace {
constexpr int kPerTransaction = 100;
} // namespace

RawRates rawLoop(const QString& path, int jobs, const QByteArray& payload)
{
    RawDatabase raw(path);
    sqlite3_stmt* begin = raw.prepare("BEGIN IMMEDIATE");
    sqlite3_stmt* commit = raw.prepare("COMMIT");
    sqlite3_stmt* job = raw.prepare(
        "INSERT INTO jobs (id, type, status, payload, created_at, updated_at, queue, "
        "created_at_ms, updated_at_ms) VALUES (?1, 'noop', 'pending', ?2, ?3, ?3, 'jobs', ?4, ?4)");
    sqlite3_stmt* message =
        raw.prepare("INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
                    "VALUES (?1, 'jobs', 1, ?2, ?3, ?3)");
    sqlite3_stmt* waiting =
        raw.prepare("SELECT m.seq, m.id, j.payload FROM messages m JOIN jobs j ON j.id = m.id "
                    "WHERE m.queue = 'jobs' AND m.lease_instance IS NULL AND m.visible_at_ms <= ?1 "
                    "ORDER BY m.visible_at_ms, m.seq LIMIT ?2");
    sqlite3_stmt* lease =
        raw.prepare("UPDATE messages SET lease_instance = 1, claim_no = ?1, claimed_at_ms = ?2, "
                    "attempts = attempts + 1 WHERE seq = ?1");
    sqlite3_stmt* processing =
        raw.prepare("UPDATE jobs SET status = 'processing', attempts = 1, updated_at_ms = ?2 "
                    "WHERE id = ?1 AND status = 'pending'");
    sqlite3_stmt* attempt =
        raw.prepare("INSERT INTO job_attempts (job_id, run, attempt, started_at_ms, finished_at_ms, "
                    "outcome) VALUES (?1, 1, 1, ?2, ?2, 'done')");
    sqlite3_stmt* done =
        raw.prepare("UPDATE jobs SET status = 'done', error = NULL, updated_at_ms = ?2 WHERE id = ?1");
    sqlite3_stmt* remove = raw.prepare("DELETE FROM messages WHERE seq = ?1");

    const auto clock = [] { return std::chrono::steady_clock::now(); };
    const auto seconds = [&](auto from) { return std::chrono::duration<double>(clock() - from).count(); };
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    const auto started = clock();
    for (int made = 0; made < jobs; made += kPerTransaction) {
        raw.step(begin);
        for (int i = 0; i < kPerTransaction; ++i) {
            const QByteArray id = newId(nowMs).toLatin1();
            bindText(job, 1, id);
            bindText(job, 2, payload);
            sqlite3_bind_int64(job, 3, nowMs / 1000);
            sqlite3_bind_int64(job, 4, nowMs);
            raw.step(job);
            bindText(message, 1, id);
            sqlite3_bind_int64(message, 2, payload.size());
            sqlite3_bind_int64(message, 3, nowMs);
            raw.step(message);
        }
        raw.step(commit);
    }
    const double enqueueSeconds = seconds(started);

    for (int ended = 0; ended < jobs;) {
        std::vector<std::pair<qint64, QByteArray>> batch;
        raw.step(begin);
        sqlite3_bind_int64(waiting, 1, nowMs);
        sqlite3_bind_int64(waiting, 2, kPerTransaction);
        while (sqlite3_step(waiting) == SQLITE_ROW)
            batch.emplace_back(sqlite3_column_int64(waiting, 0),
                               reinterpret_cast<const char*>(sqlite3_column_text(waiting, 1)));
        sqlite3_reset(waiting);
        if (batch.empty())
            qFatal("the queue is empty too early");
        for (const auto& [seq, id] : batch) {
            sqlite3_bind_int64(lease, 1, seq);
            sqlite3_bind_int64(lease, 2, nowMs);
            raw.step(lease);
            bindText(processing, 1, id);
            sqlite3_bind_int64(processing, 2, nowMs);
            raw.step(processing);
        }
        raw.step(commit);
        raw.step(begin);
        for (const auto& [seq, id] : batch) {
            bindText(attempt, 1, id);
            sqlite3_bind_int64(attempt, 2, nowMs);
            raw.step(attempt);
            bindText(done, 1, id);
            sqlite3_bind_int64(done, 2, nowMs);
            raw.step(done);
            sqlite3_bind_int64(remove, 1, seq);
            raw.step(remove);
        }
        raw.step(commit);
        ended += int(batch.size());
    }
    return {jobs / enqueueSeconds, jobs / seconds(started)};
}

} // namespace redrive::bench
