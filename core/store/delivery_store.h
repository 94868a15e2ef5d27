// Deliveries: one event for one endpoint. Making, claiming and settling them. Control thread, inside a turn's
// transaction.
#pragma once

#include "core/domain/delivery.h"
#include "core/domain/send_class.h"
#include "core/store/event_store.h"

#include <vector>

namespace redrive {

struct NewDelivery
{
    QString endpointId;
    QString url;
    std::optional<QByteArray> settings; // the endpoint as the payload gave it; nothing: of the configuration
    int budget = 4;                     // attempts granted
    std::optional<qint64> retryBaseMs;
    QString heldReason;    // empty: due at once
    bool isReplay = false; // an operator's, though it is the first
};

struct DueDelivery
{
    qint64 rowKey = 0;
    QString id;
    QString eventId;
    QString jobId;
    QString url;
    std::optional<QByteArray> settings;
    int attempts = 0; // so far
    std::optional<int> replayOf;
};

// What decides about a delivery after a failed attempt.
struct DeliveryTerms
{
    int spent = 0;
    int budget = 0;
    std::optional<qint64> retryBaseMs;
    std::optional<int> replayOf;
    std::optional<DeliveryStatus> resumeStatus;
    std::optional<qint64> resumeAtMs;
    QString endpointId;
    QString eventType;
    qint64 createdAtMs = 0;
    bool stopAsked = false; // an operator cancelled it
};

// How a claimed delivery goes on. A replay that waited is over, unless `replayOf` keeps it.
struct DeliverySettlement
{
    DeliveryStatus status = DeliveryStatus::Delivered;
    QString reason;
    QString error;
    int spentNow = 0; // 1 when the attempt used up budget
    std::optional<qint64> dueAtMs;
    std::optional<SendClass> sendClass; // nothing: as before
    std::optional<int> replayOf;
    std::optional<DeliveryStatus> resumeStatus;
    std::optional<qint64> resumeAtMs;
};

namespace delivery_store {

// False when the event has a delivery for this endpoint already: that one stays as it is.
Result<bool> insert(Cycle& cycle, const WebhookEvent& event, const NewDelivery& delivery);

// Up to `limit` deliveries of the endpoint that are due now, longest due first: of one class, or those that
// an operator asked for.
Result<std::vector<DueDelivery>> due(Cycle& cycle, const QString& endpointId, SendClass sendClass, int limit);
Result<std::vector<DueDelivery>> dueReplays(Cycle& cycle, const QString& endpointId, int limit);

// → sending, by this engine, as attempt `attempts` + 1.
Status claim(Cycle& cycle, const DueDelivery& delivery);
// The same of many that have had none, by one statement.
Status claimFirst(Cycle& cycle, const std::vector<qint64>& rowKeys);

// It stays as it is and falls due later.
Status putOff(Cycle& cycle, qint64 rowKey, qint64 dueAtMs);
Result<std::optional<DeliveryTerms>> terms(Connection& db, qint64 rowKey);

// False, with nothing changed, when the delivery is not in this attempt of this engine any more.
Result<bool> settle(Cycle& cycle, qint64 rowKey, int attempt, const DeliverySettlement& settlement);
Result<bool> settleDelivered(Cycle& cycle, qint64 rowKey, int attempt);
// The same of many that are in their first attempt, by one statement. Returns how many were.
Result<qint64> settleFirstDelivered(Cycle& cycle, const std::vector<qint64>& rowKeys);

} // namespace delivery_store
} // namespace redrive
