// Takes events in: many requests share one commit, and each is answered after it. enqueue() from any thread.
#pragma once

#include "core/config/settings.h"
#include "core/feed/counters.h"
#include "core/store/message_store.h"
#include "core/store/submission_inbox.h"

#include <QByteArrayList>

namespace redrive {

struct EventSubmission
{
    QByteArrayList events;  // the exact bytes received, JSON that was checked; all of them or none; not empty
    bool intoTable = false; // a row at once instead of a message; one event
    std::optional<IdempotencyKey> idempotencyKey;
    std::function<void(Result<StoredIds>)> reply;

    size_t size() const { return size_t(events.size()); }
    bool alone() const { return intoTable; } // the table may refuse it
};

class IngestInbox final : public SubmissionInbox<EventSubmission>
{
public:
    // `settings` outlives the inbox. `wake` is called when the first submission of a burst waits.
    IngestInbox(const Settings& settings, Counters& counters, std::function<void()> wake);

private:
    Result<QStringList> write(Cycle& cycle, const EventSubmission& submission) override;
    // One message to the telemetry queue for each event; its id is the event's, the time it was sent too.
    // They are put aside: finish() writes those of many requests at once.
    Result<QStringList> send(Cycle& cycle, const QByteArrayList& events);
    static Result<QStringList> insertRow(Cycle& cycle, const QByteArray& event);
    Status finish(Cycle& cycle) override;
    void forget() override;
    void count(const EventSubmission& submission) override;

    const Settings& m_settings;
    Counters& m_counters;
    QList<PlainMessage> m_aside; // of this turn, with their ids, not yet written
    qint64 m_asideBytes = 0;
    qint64 m_delayMs = 0; // of the queue
};

} // namespace redrive
