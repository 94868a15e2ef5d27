#include "core/telemetry/ingest_inbox.h"

#include "core/base/ids.h"
#include "core/store/backlog_store.h"
#include "core/store/message_store.h"
#include "core/store/queue_store.h"
#include "core/store/telemetry_store.h"
#include "core/telemetry/telemetry_event.h"

#include <numeric>

namespace redrive {

namespace {
constexpr size_t kMostPerTurn = 2'000; // events
} // namespace

IngestInbox::IngestInbox(const Settings& settings, Counters& counters, std::function<void()> wake)
    : SubmissionInbox(std::move(wake), kMostPerTurn), m_settings(settings), m_counters(counters)
{
}

Result<QStringList> IngestInbox::write(Cycle& cycle, const EventSubmission& submission)
{
    if (m_settings.telemetryQueue.isEmpty())
        return fail(ErrorKind::Refused, u"the configuration names no queue for telemetry"_s, u"no queue"_s);
    return submission.intoTable ? insertRow(cycle, submission.events.first())
                                : send(cycle, submission.events);
}

Result<QStringList> IngestInbox::insertRow(Cycle& cycle, const QByteArray& event)
{
    REDRIVE_ASSIGN(row, telemetryRow(newId(cycle.nowMs), event, cycle.nowMs));
    REDRIVE_TRY(telemetry_store::insert(cycle, row));
    cycle.changes.telemetry = true;
    return QStringList{row.id};
}

Result<QStringList> IngestInbox::send(Cycle& cycle, const QByteArrayList& events)
{
    const QString& queue = m_settings.telemetryQueue;
    const qint64 bytes =
        std::accumulate(events.begin(), events.end(), qint64(0),
                        [](qint64 sum, const QByteArray& event) { return sum + event.size(); });
    REDRIVE_TRY(backlog_store::admit(cycle, queue, events.size(), bytes, m_settings.limits));
    REDRIVE_ASSIGN(delayMs, queue_store::deliveryDelayMs(cycle.db, m_settings, queue));
    NewMessage message;
    message.queue = queue;
    message.visibleAtMs = cycle.nowMs + delayMs;
    QStringList ids;
    for (const QByteArray& event : events) {
        message.id = newId(cycle.nowMs);
        message.body = event;
        message.size = event.size();
        REDRIVE_TRY(message_store::insert(cycle, message));
        ids.append(message.id);
    }
    cycle.changes.queues = true;
    return ids;
}

void IngestInbox::count(const EventSubmission& submission)
{
    m_counters.ingested += quint64(submission.events.size());
}

} // namespace redrive
