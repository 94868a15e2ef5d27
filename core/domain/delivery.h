// A delivery: one event for one endpoint, and its attempts. Plain values; any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace redrive {

enum class DeliveryStatus { Pending, Sending, Delivered, Failed, Held, Dead, Cancelled };

QString toText(DeliveryStatus status);
std::optional<DeliveryStatus> deliveryStatusFrom(QStringView text);

// What a list shows of a delivery. Times are unix milliseconds.
struct DeliveryRow
{
    qint64 key = 0;
    QString id;
    QString endpointId;
    QString eventId;
    QString eventType;
    QString jobId;
    QString url;
    DeliveryStatus status = DeliveryStatus::Pending;
    QString
        otherStatus; // the stored text when it is none of ours (a user's own row); status is then Cancelled
    QString reason;
    QString error;    // cut at 300 characters
    int attempts = 0; // all of them
    int spent = 0;    // those that used up budget
    int budget = 0;
    std::optional<qint64> dueAtMs;
    qint64 createdAtMs = 0;
    qint64 updatedAtMs = 0;
    bool discarded = false;
    // Of its endpoint: nothing goes out before, by its open breaker or because it asked for a pause.
    std::optional<qint64> breakerUntilMs;
    std::optional<qint64> pausedUntilMs;
};

struct DeliveryAttempt
{
    int attempt = 1;
    QString kind; // scheduled, replay
    std::optional<int> replayOf;
    QString url;
    std::optional<int> endpointVersion; // of its settings; nothing: those of the event's payload
    qint64 startedAtMs = 0;
    std::optional<qint64> finishedAtMs;
    QString outcome;      // delivered, failed, interrupted, cancelled; empty: still running
    QString outcomeClass; // not_sent, unknown, answered
    std::optional<int> statusCode;
    QString errorCode;
    QString error;
    QString peer;
    QString requestHeaders; // secrets masked
    QString responseHeaders;
    QByteArray responseBody;
    qint64 dnsUs = 0; // durations of the phases, microseconds; 0: not reached
    qint64 connectUs = 0;
    qint64 tlsUs = 0;
    qint64 firstByteUs = 0;
    qint64 totalUs = 0;
    QString tlsVersion; // empty: plain http, or not reached
    std::optional<qint64> certificateEndsAtMs;
    std::optional<qint64> nextAtMs;
    QString nextReason;
};

} // namespace redrive
