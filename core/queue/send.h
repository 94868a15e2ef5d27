// Sending messages to a queue: one, or up to 100 at once, all or none. Control thread, inside a turn's
// transaction; durable when the turn has committed.
#pragma once

#include "core/config/settings.h"
#include "core/store/message_store.h"

namespace redrive {

inline constexpr int kMaxMessagesAtOnce = 100;
inline constexpr qint64 kMaxMessageBytes = 128'000;
inline constexpr qint64 kMaxBytesAtOnce = 256'000;
inline constexpr qint64 kMaxDelayMs = 86'400'000;

struct OutgoingMessage
{
    QByteArray body;
    ContentType contentType = ContentType::Json;
    std::optional<qint64> delayMs; // 0–86,400,000; wins over the call's, that over the queue's
};

// Refuses what breaks a limit, with both numbers in the words; then nothing is stored. Returns the ids.
Result<QStringList> sendMessages(Cycle& cycle, const QString& queue, const QList<OutgoingMessage>& messages,
                                 std::optional<qint64> callDelayMs, qint64 queueDelayMs);
// The same with the queue's own delay, and refused (detail "backlog") where it would grow over its limit.
Result<QStringList> sendToQueue(Cycle& cycle, const Settings& settings, const QString& queue,
                                const QList<OutgoingMessage>& messages, std::optional<qint64> callDelayMs);

} // namespace redrive
