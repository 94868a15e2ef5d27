#include "core/engine/detail_reading.h"

#include "core/db/read_snapshot.h"
#include "core/store/activity_read_store.h"
#include "core/store/delivery_read_store.h"
#include "core/store/letter_read_store.h"
#include "core/store/redrive_store.h"
#include "core/store/telemetry_read_store.h"
#include "core/store/timer_read_store.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr qint64 kMaxPieceBytes = 1 << 20;
constexpr int kActionsShown = 50;

Result<std::optional<JobDetail>> findJob(Connection& db, const QString& id, const QueueAttempts& granted)
{
    REDRIVE_ASSIGN(row, job_read_store::row(db, id, granted));
    if (!row)
        return std::nullopt;
    REDRIVE_ASSIGN(attempts, job_read_store::attempts(db, *row));
    REDRIVE_ASSIGN(deliveries, delivery_read_store::ofJob(db, id));
    REDRIVE_ASSIGN(result, job_read_store::lastResult(db, id));
    REDRIVE_ASSIGN(letter, letter_read_store::newestOf(db, id));
    REDRIVE_ASSIGN(versions, job_read_store::versions(db, id));
    REDRIVE_ASSIGN(actions, redrive_store::actionsOn(db, id, kActionsShown));
    return JobDetail{std::move(*row),   std::move(attempts), std::move(deliveries), std::move(result),
                     std::move(letter), std::move(versions), std::move(actions)};
}

Result<std::optional<DeliveryDetail>> findDelivery(Connection& db, const QString& id)
{
    REDRIVE_ASSIGN(row, delivery_read_store::row(db, id));
    if (!row)
        return std::nullopt;
    REDRIVE_ASSIGN(attempts, delivery_read_store::attempts(db, id));
    REDRIVE_ASSIGN(body, delivery_read_store::body(db, row->eventId));
    REDRIVE_ASSIGN(actions, redrive_store::actionsOn(db, id, kActionsShown));
    return DeliveryDetail{std::move(*row), std::move(attempts), std::move(body), std::move(actions)};
}

} // namespace

Result<JobDetail> readJobDetail(Connection& db, const QString& id, const QueueAttempts& attempts)
{
    REDRIVE_ASSIGN(snapshot, ReadSnapshot::begin(db));
    REDRIVE_ASSIGN(detail, findJob(db, id, attempts));
    if (!detail)
        return fail(ErrorKind::NotFound, u"there is no job '%1'"_s.arg(id));
    return std::move(*detail);
}

Result<DeliveryDetail> readDeliveryDetail(Connection& db, const QString& id)
{
    REDRIVE_ASSIGN(snapshot, ReadSnapshot::begin(db));
    REDRIVE_ASSIGN(detail, findDelivery(db, id));
    if (!detail)
        return fail(ErrorKind::NotFound, u"there is no delivery '%1'"_s.arg(id));
    return std::move(*detail);
}

Result<LetterDetail> readLetterDetail(Connection& db, qint64 no, const QueueAttempts& attempts)
{
    REDRIVE_ASSIGN(snapshot, ReadSnapshot::begin(db));
    REDRIVE_ASSIGN(letter, letter_read_store::row(db, no));
    if (!letter)
        return fail(ErrorKind::NotFound, u"there is no dead letter %1"_s.arg(no));
    LetterDetail detail{*letter, {}, {}, {}};
    if (letter->kind == LetterKind::Job) {
        REDRIVE_ASSIGN(job, findJob(db, letter->subjectId, attempts));
        detail.job = job;
    } else if (letter->kind == LetterKind::Delivery) {
        REDRIVE_ASSIGN(delivery, findDelivery(db, letter->subjectId));
        detail.delivery = delivery;
    } else {
        REDRIVE_ASSIGN(actions, redrive_store::actionsOn(db, letter->subjectId, kActionsShown));
        REDRIVE_ASSIGN(parent, letter_read_store::parentOf(db, letter->subjectId));
        detail.actions = actions;
        detail.letter.parentId = parent;
    }
    return detail;
}

Result<ListRows> readRows(Connection& db, ListKind kind, const std::vector<qint64>& keys,
                          const QueueAttempts& attempts)
{
    REDRIVE_ASSIGN(snapshot, ReadSnapshot::begin(db));
    switch (kind) {
    case ListKind::Jobs:
        return job_read_store::rows(db, keys, attempts);
    case ListKind::Timers:
        return timer_read_store::rows(db, keys, attempts);
    case ListKind::DeadLetters:
    case ListKind::Bin:
        return letter_read_store::rows(db, keys);
    case ListKind::Activity:
        return activity_read_store::rows(db, keys);
    case ListKind::Telemetry:
        return telemetry_read_store::rows(db, keys);
    case ListKind::Deliveries:
        break;
    }
    return delivery_read_store::rows(db, keys);
}

Result<PayloadPiece> readPayload(Connection& db, const QString& id, qint64 offset, qint64 bytes)
{
    const qint64 from = std::max<qint64>(offset, 0);
    REDRIVE_ASSIGN(payload,
                   job_read_store::payload(db, id, from, std::clamp<qint64>(bytes, 0, kMaxPieceBytes)));
    if (!payload)
        return fail(ErrorKind::NotFound, u"there is no job or message '%1'"_s.arg(id));
    return PayloadPiece{payload->bytes, from, payload->totalBytes};
}

Result<PayloadPiece> readTelemetryPayload(Connection& db, qint64 key, qint64 offset, qint64 bytes)
{
    const qint64 from = std::max<qint64>(offset, 0);
    REDRIVE_ASSIGN(
        payload, telemetry_read_store::payload(db, key, from, std::clamp<qint64>(bytes, 0, kMaxPieceBytes)));
    if (!payload)
        return fail(ErrorKind::NotFound, u"this row of telemetry is not kept any more"_s);
    return PayloadPiece{payload->bytes, from, payload->totalBytes};
}

} // namespace redrive
