#include "core/queue/send.h"

#include "core/base/ids.h"
#include "core/store/backlog_store.h"
#include "core/store/queue_store.h"

namespace redrive {

namespace {

Status checkDelay(const std::optional<qint64>& delayMs)
{
    if (delayMs && (*delayMs < 0 || *delayMs > kMaxDelayMs))
        return fail(ErrorKind::InvalidInput,
                    u"a delay must be from 0 to 86400 seconds, not %1"_s.arg(double(*delayMs) / 1000.0), {},
                    u"delaySeconds"_s);
    return {};
}

Status checkLimits(const QList<OutgoingMessage>& messages)
{
    if (messages.isEmpty() || messages.size() > kMaxMessagesAtOnce)
        return fail(
            ErrorKind::InvalidInput,
            u"1 to %1 messages can be sent at once, not %2"_s.arg(kMaxMessagesAtOnce).arg(messages.size()));
    qint64 total = 0;
    for (const OutgoingMessage& message : messages) {
        if (message.body.size() > kMaxMessageBytes)
            return fail(ErrorKind::InvalidInput,
                        u"a message may have %1 bytes, this one has %2"_s.arg(kMaxMessageBytes)
                            .arg(message.body.size()));
        total += message.body.size();
        REDRIVE_TRY(checkDelay(message.delayMs));
    }
    if (messages.size() > 1 && total > kMaxBytesAtOnce)
        return fail(ErrorKind::InvalidInput,
                    u"messages sent at once may have %1 bytes together, these have %2"_s.arg(kMaxBytesAtOnce)
                        .arg(total));
    return {};
}

} // namespace

Result<QStringList> sendMessages(Cycle& cycle, const QString& queue, const QList<OutgoingMessage>& messages,
                                 std::optional<qint64> callDelayMs, qint64 queueDelayMs)
{
    REDRIVE_TRY(checkDelay(callDelayMs));
    REDRIVE_TRY(checkLimits(messages));
    QStringList ids;
    for (const OutgoingMessage& message : messages) {
        NewMessage row;
        row.id = newId(cycle.nowMs);
        row.queue = queue;
        row.contentType = message.contentType;
        row.body = message.body;
        row.size = message.body.size();
        row.visibleAtMs = cycle.nowMs + message.delayMs.value_or(callDelayMs.value_or(queueDelayMs));
        REDRIVE_TRY(message_store::insert(cycle, row));
        ids.append(row.id);
    }
    cycle.changes.queues = true;
    return ids;
}

Result<QStringList> sendToQueue(Cycle& cycle, const Settings& settings, const QString& queue,
                                const QList<OutgoingMessage>& messages, std::optional<qint64> callDelayMs)
{
    REDRIVE_TRY(checkDelay(callDelayMs));
    REDRIVE_TRY(checkLimits(messages));
    qint64 bytes = 0;
    for (const OutgoingMessage& message : messages)
        bytes += message.body.size();
    REDRIVE_TRY(backlog_store::admit(cycle, queue, messages.size(), bytes, settings.limits));
    REDRIVE_ASSIGN(queueDelayMs, queue_store::deliveryDelayMs(cycle.db, settings, queue));
    return sendMessages(cycle, queue, messages, callDelayMs, queueDelayMs);
}

} // namespace redrive
