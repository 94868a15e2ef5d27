#include "core/store/job_status_json.h"

#include "core/base/json_gate.h"
#include "core/base/json_text.h"
#include "core/domain/delivery.h"
#include "core/store/row_values.h"

#include <array>

namespace redrive {

namespace {

constexpr char kJob[] =
    "SELECT j.type, j.status, j.attempts, j.error, j.created_at_ms, j.created_at, j.updated_at_ms, "
    "j.updated_at, j.due_at_ms, {bytes:r.content} FROM jobs j "
    "LEFT JOIN job_results r ON r.job_id = j.id AND r.run = j.run WHERE j.id = ?";
constexpr char kDeliveries[] =
    "SELECT d.status, count(*) FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id "
    "WHERE e.job_id = ? GROUP BY d.status";
constexpr char kFanOutType[] = "webhook_fanout";

void appendText(QByteArray& json, const char* key, const Query& row, int column)
{
    json += key;
    if (row.isNull(column))
        json += "null";
    else
        appendJsonString(json, row.text(column));
}

void appendTime(QByteArray& json, const char* key, qint64 ms)
{
    json += key;
    json += ms > 0 ? QByteArray::number(ms) : QByteArray("null");
}

void appendResult(QByteArray& json, const Query& row, int column)
{
    json += ",\"result\":";
    const QByteArray content = row.bytes(column);
    if (row.isNull(column))
        json += "null";
    else if (!checkJson(content, {64, 10'000, false}))
        json += content.trimmed();
    else
        appendJsonString(json, QString::fromUtf8(content));
}

Result<QByteArray> deliveryCounts(Connection& db, const QString& id, bool isFanOut)
{
    std::array<qint64, 7> counts{};
    qint64 total = 0;
    auto query = db.query(kDeliveries);
    query.bind(id);
    while (query.next()) {
        const qint64 count = query.int64(1);
        total += count;
        if (const auto status = deliveryStatusFrom(query.text(0)))
            counts[std::size_t(*status)] += count;
    }
    REDRIVE_TRY(query.status());
    if (total == 0 && !isFanOut)
        return QByteArray();
    QByteArray json = ",\"deliveries\":{\"total\":" + QByteArray::number(total);
    for (const DeliveryStatus status :
         {DeliveryStatus::Delivered, DeliveryStatus::Pending, DeliveryStatus::Sending, DeliveryStatus::Failed,
          DeliveryStatus::Held, DeliveryStatus::Dead, DeliveryStatus::Cancelled})
        json += ",\"" + toText(status).toLatin1() + "\":" + QByteArray::number(counts[std::size_t(status)]);
    return json + '}';
}

} // namespace

Result<std::optional<QByteArray>> jobStatusJson(Connection& db, const QString& id)
{
    QByteArray json = "{\"id\":";
    bool isFanOut = false;
    {
        auto row = db.query(kJob);
        row.bind(id);
        if (!row.next()) {
            REDRIVE_TRY(row.status());
            return std::nullopt;
        }
        isFanOut = row.text(0) == QLatin1String(kFanOutType);
        appendJsonString(json, id);
        appendText(json, ",\"type\":", row, 0);
        appendText(json, ",\"status\":", row, 1);
        json += ",\"attempts\":" + QByteArray::number(row.int64(2));
        appendText(json, ",\"error\":", row, 3);
        appendResult(json, row, 9);
        appendTime(json, ",\"createdAt\":", rowTimeMs(row, 4, 5));
        appendTime(json, ",\"updatedAt\":", rowTimeMs(row, 6, 7));
        appendTime(json, ",\"nextAttemptAt\":", row.optInt64(8).value_or(0));
    }
    REDRIVE_ASSIGN(deliveries, deliveryCounts(db, id, isFanOut));
    return std::optional(json + deliveries + '}');
}

} // namespace redrive
