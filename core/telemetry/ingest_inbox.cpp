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
    REDRIVE_TRY(backlog_store::admit(cycle, queue, m_aside.size() + events.size(), m_asideBytes + bytes,
                                     m_settings.limits));
    if (m_aside.isEmpty()) {
        REDRIVE_ASSIGN(delayMs, queue_store::deliveryDelayMs(cycle.db, m_settings, queue));
        m_delayMs = delayMs;
    }
    QStringList ids;
    for (const QByteArray& event : events) {
        ids.append(newId(cycle.nowMs));
        m_aside.append({ids.last(), event});
    }
    m_asideBytes += bytes;
    return ids;
}

Status IngestInbox::finish(Cycle& cycle)
{
    if (m_aside.isEmpty())
        return {};
    REDRIVE_TRY(message_store::insertAll(cycle, m_settings.telemetryQueue, cycle.nowMs + m_delayMs, m_aside));
    cycle.changes.queues = true;
    forget();
    return {};
}

void IngestInbox::forget()
{
    m_aside.clear();
    m_asideBytes = 0;
}

void IngestInbox::count(const EventSubmission& submission)
{
    m_counters.ingested += quint64(submission.events.size());
}

} // namespace redrive
