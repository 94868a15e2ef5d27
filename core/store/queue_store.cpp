#include "core/store/queue_store.h"

#include "core/store/queue_settings.h"

namespace redrive::queue_store {

namespace {

constexpr char kConfigure[] =
    "INSERT INTO queues (name, delivery_delay_ms, retention_ms, created_at_ms) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (name) DO UPDATE SET "
    "delivery_delay_ms = COALESCE(excluded.delivery_delay_ms, queues.delivery_delay_ms), "
    "retention_ms = COALESCE(excluded.retention_ms, queues.retention_ms) "
    "WHERE (excluded.delivery_delay_ms IS NOT NULL AND "
    "COALESCE(queues.delivery_delay_ms, -1) <> excluded.delivery_delay_ms) OR "
    "(excluded.retention_ms IS NOT NULL AND COALESCE(queues.retention_ms, -1) <> excluded.retention_ms)";
constexpr char kSaidPaused[] =
    "UPDATE queues SET configured_paused = ? WHERE name = ? AND COALESCE(configured_paused, -1) <> ?";
constexpr char kAll[] =
    "SELECT name, paused_at_ms, COALESCE(paused_by, ''), delivery_delay_ms, retention_ms FROM queues";
constexpr char kDelay[] = "SELECT delivery_delay_ms FROM queues WHERE name = ?";

} // namespace

Status configure(Cycle& cycle, const QString& name, const QueueSettings& settings)
{
    auto query = cycle.db.query(kConfigure);
    query.bind(name).bind(settings.deliveryDelayMs).bind(settings.retentionMs).bind(cycle.nowMs);
    REDRIVE_ASSIGN(changed, query.run());
    if (changed > 0)
        cycle.changes.queues = true;
    if (!settings.paused)
        return {};
    auto said = cycle.db.query(kSaidPaused);
    said.bind(*settings.paused).bind(name).bind(*settings.paused);
    REDRIVE_ASSIGN(isNew, said.run());
    if (isNew == 0)
        return {};
    REDRIVE_ASSIGN(state, queue_settings::pauseState(cycle.db, name));
    if (state.paused == *settings.paused)
        return {};
    return *settings.paused ? queue_settings::pause(cycle, name, u"configuration"_s)
                            : queue_settings::resume(cycle, name);
}

Result<QHash<QString, QueueRow>> all(Connection& db)
{
    auto query = db.query(kAll);
    QHash<QString, QueueRow> rows;
    while (query.next())
        rows.insert(query.text(0),
                    {query.text(0), query.optInt64(1), query.text(2), query.optInt64(3), query.optInt64(4)});
    REDRIVE_TRY(query.status());
    return rows;
}

Result<qint64> deliveryDelayMs(Connection& db, const Settings& settings, const QString& queue)
{
    if (settings.queues.value(queue).deliveryDelayMs)
        return settings.deliveryDelayMs(queue);
    auto query = db.query(kDelay);
    query.bind(queue);
    std::optional<qint64> kept;
    if (query.next())
        kept = query.optInt64(0);
    REDRIVE_TRY(query.status());
    return kept.value_or(settings.deliveryDelayMs(queue));
}

} // namespace redrive::queue_store
