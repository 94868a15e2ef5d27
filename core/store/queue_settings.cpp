#include "core/store/queue_settings.h"

namespace redrive::queue_settings {

namespace {

constexpr char kPauseState[] = "SELECT paused_at_ms IS NOT NULL FROM queues WHERE name = ?";
constexpr char kHasMessages[] = "SELECT 1 FROM messages WHERE queue = ? LIMIT 1";
constexpr char kSetPause[] =
    "INSERT INTO queues (name, paused_at_ms, paused_by, created_at_ms) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (name) DO UPDATE SET paused_at_ms = excluded.paused_at_ms, paused_by = excluded.paused_by";

void changed(Cycle& cycle, const QString& queue)
{
    cycle.queuesToLook.insert(queue);
    cycle.changes.queues = true;
}

} // namespace

Result<PauseState> pauseState(Connection& db, const QString& queue)
{
    PauseState state;
    {
        auto row = db.query(kPauseState);
        row.bind(queue);
        if (row.next())
            state = {true, row.int64(0) != 0};
        REDRIVE_TRY(row.status());
    }
    if (state.known)
        return state;
    auto message = db.query(kHasMessages);
    message.bind(queue);
    state.known = message.next();
    REDRIVE_TRY(message.status());
    return state;
}

Status pause(Cycle& cycle, const QString& queue, const QString& actor)
{
    auto query = cycle.db.query(kSetPause);
    query.bind(queue).bind(cycle.nowMs).bind(actor).bind(cycle.nowMs);
    REDRIVE_TRY(query.run());
    changed(cycle, queue);
    return {};
}

Status resume(Cycle& cycle, const QString& queue)
{
    auto query = cycle.db.query(kSetPause);
    query.bind(queue).bindNull().bindNull().bind(cycle.nowMs);
    REDRIVE_TRY(query.run());
    changed(cycle, queue);
    return {};
}

} // namespace redrive::queue_settings
