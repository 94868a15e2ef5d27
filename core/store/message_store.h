// Messages: the durable lines of the queues. Control thread, inside a turn's transaction.
#pragma once

#include "core/store/cycle.h"

#include <QVariant>

namespace redrive {

enum class ContentType { Json, Text, Bytes };

QString toText(ContentType type);
std::optional<ContentType> contentTypeFrom(QStringView text);

struct NewMessage
{
    QString id;
    QString queue;
    bool isJob = false;
    ContentType contentType = ContentType::Json;
    QByteArray body; // exact bytes; a job's message has none
    qint64 size = 0; // bytes that count for the backlog
    qint64 visibleAtMs = 0;
    bool urgent = false; // does not wait for the batch timeout
    int attempts = 0;    // deliveries it has had, when the sweep makes it again
};

struct PlainMessage
{
    QString id;
    QByteArray body; // exact bytes
};

// A message that waits, with what is known of its job when it is one's.
struct WaitingMessage
{
    qint64 seq = 0;
    QString id;
    bool isJob = false;
    ContentType contentType = ContentType::Json;
    QByteArray body; // of the message, or the job's payload
    qint64 sentAtMs = 0;
    qint64 visibleAtMs = 0;
    int attempts = 0;
    int crashes = 0;
    bool urgent = false;
    bool leasedBefore = false; // it was read in an earlier turn: the store may have gone on
    bool jobFound = false;
    QString jobType;
    QString jobStatus;
    int jobRun = 1;
    qint64 jobCreatedAtMs = 0;
    std::optional<qint64> jobDueAtMs;
};

// A message that another instance held when it ended.
struct AbandonedMessage
{
    qint64 seq = 0;
    QString id;
    QString queue;
    bool isJob = false;
    int attempts = 0;
    int crashes = 0;
    ContentType contentType = ContentType::Json;
    QByteArray body;        // of a message that is no job
    bool claimed = false;   // its work had begun
    bool stopAsked = false; // and an operator asked it to stop
    QString jobStatus;      // empty: no row
    qint64 claimedAtMs = 0;
    qint64 sentAtMs = 0;
    QString jobType;
    int jobRun = 1;
    qint64 instanceNo = 0;
};

namespace message_store {

// False when a message with this id is there already.
Result<bool> insert(Cycle& cycle, const NewMessage& message);
// JSON messages that are sent together: all in the order given, at half the cost of insert() for each. One
// whose id is there already is left out.
Status insertAll(Cycle& cycle, const QString& queue, qint64 visibleAtMs, const QList<PlainMessage>& messages);
// Bodies and payloads that waiting() reads at once; the message that exceeds it is the last one.
inline constexpr qint64 kMostBytesRead = 16 * 1024 * 1024;
// Visible and not leased, in due order, then in the order they were sent.
Result<QList<WaitingMessage>> waiting(Connection& db, const QString& queue, qint64 nowMs, int limit,
                                      bool jobsOnly);
// When the next message that is not leased becomes visible after a time; nothing if there is none.
Result<std::optional<qint64>> nextVisibleAt(Connection& db, const QString& queue, qint64 afterMs);

// Leases without beginning work. False when it is leased or gone.
Result<bool> lease(Cycle& cycle, qint64 seq);
// Begins work: one more attempt after `attempts`, a claim number to settle with. Leases when needed. False
// when another holds it or has delivered it since it was read.
Result<bool> claim(Cycle& cycle, qint64 seq, int attempts, qint64 claimNo);
// Ends a lease whose work never began; nothing else changes.
Status releaseLease(Cycle& cycle, qint64 seq);
// Ends a claim that is not to count: the attempt number goes back.
Result<bool> releaseClaim(Cycle& cycle, qint64 seq, qint64 claimNo);

// Settling compares the claim: false means that the message is no longer held by it.
Result<bool> remove(Cycle& cycle, qint64 seq, qint64 claimNo);
Result<bool> retryAt(Cycle& cycle, qint64 seq, qint64 claimNo, qint64 visibleAtMs, const QString& error);
Result<bool> moveTo(Cycle& cycle, qint64 seq, qint64 claimNo, const QString& queue, const QString& error);

// The same for messages nobody has claimed (strays, and those handled inside the turn).
Result<bool> removeUnclaimed(Cycle& cycle, qint64 seq);
// All with these numbers at once, which are messages that the caller has read in this transaction, without a
// gap.
Status removeRun(Cycle& cycle, qint64 firstSeq, qint64 lastSeq);
Result<bool> moveUnclaimed(Cycle& cycle, qint64 seq, const QString& queue, const QString& error);
Result<bool> retryUnclaimed(Cycle& cycle, qint64 seq, qint64 visibleAtMs, int attempts, const QString& error);

// In the order they were sent, after one of them.
Result<QList<AbandonedMessage>> heldBy(Connection& db, qint64 instanceNo, qint64 afterSeq, int limit);
// Gives a message of an ended instance back, with one crash more when its work had begun.
Status giveBack(Cycle& cycle, const AbandonedMessage& message, bool crashed);
Status moveAbandoned(Cycle& cycle, const AbandonedMessage& message, const QString& queue,
                     const QString& error);
Status removeAbandoned(Cycle& cycle, qint64 seq);

} // namespace message_store
} // namespace redrive
