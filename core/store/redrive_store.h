// Redrives: what operators asked for, each with its frozen items. Items are numbered from 1 and settled in
// that order, so that the counts say how far it came. Inside a turn's transaction; reads on any connection.
#pragma once

#include "core/domain/action.h"
#include "core/store/cycle.h"
#include "core/store/message_removal.h"

namespace redrive {

struct NewRedrive
{
    ActionVerb verb = ActionVerb::Requeue;
    QString scope; // in words, for people
    QString queue; // purge: which; requeue: another one that letters go to, empty: the one they came from
    QString actor;
    QString source;
    QString reason;
    qint64 cutoffSeq = 0;              // purge: the last message it may touch
    std::optional<qint64> dueAtMs;     // postpone
    std::optional<QByteArray> payload; // edit
    QString endpointId;                // missing
    bool leavesDelivered = false;      // replay: what is delivered by its turn stays as it is
    RedrivePace pace;
    std::optional<qint64> heldUntilMs; // unix; nothing of it begins before
};

struct RedriveRow
{
    qint64 no = 0;
    NewRedrive asked;
    bool known = true; // false: another version wrote a verb that this one does not know
    RedriveState state = RedriveState::Requested;
    QString note;
    int total = 0;
    int succeeded = 0; // done to its item, whatever becomes of that
    int refused = 0;
    QueuePlace reached; // purge: how far it came
    bool canaryPassed = false;
    std::optional<qint64> nextAtUs; // before which nothing more may begin; unix time in microseconds
    qint64 continuedAtMs = 0;
    bool undone = false;

    int settled() const { return succeeded + refused; }
    bool isOpen() const { return !isOver(state); }
};

// What became of one item.
struct ItemEnd
{
    QString refusal; // empty: it is done
    QString newId;   // what was made of it: an edit's job, the delivery of an event that was missing
    QString actedId; // whose outcome counts; empty: none is awaited
};

namespace redrive_store {

// Without items.
Result<qint64> insert(Cycle& cycle, const NewRedrive& redrive);
// Freezes the next item.
Status addItem(Cycle& cycle, qint64 no, int itemNo, const QString& itemId);
Status setTotal(Cycle& cycle, qint64 no, int total);
// How far a purge came.
Status saveReached(Cycle& cycle, const RedriveRow& redrive);

Result<std::optional<RedriveRow>> read(Connection& db, qint64 no);
// Requested or running, in the order they were asked for.
Result<QList<RedriveRow>> open(Connection& db);
// The next items after the settled ones.
Result<QStringList> nextItems(Connection& db, const RedriveRow& redrive, int limit);

Status settleItem(Cycle& cycle, qint64 no, int itemNo, const ItemEnd& end);
// Writes the counts and the pace, and the end when everything is settled.
Status saveProgress(Cycle& cycle, RedriveRow& redrive);
// Writes its state and note, its rate, its hold and how far its first items are; not the counts, which stay.
Status saveState(Cycle& cycle, const RedriveRow& redrive);
// It was taken back.
Status markUndone(Cycle& cycle, qint64 no);
// Freezes what another redrive did as the items of this one, and writes their number.
Status addItemsDoneBy(Cycle& cycle, qint64 no, qint64 otherNo);

Result<QList<RefusedItem>> refusedItems(Connection& db, qint64 no, int limit);
// What an edit made; empty: nothing.
Result<QString> newIdOf(Connection& db, qint64 no);
// What operators did to one thing, oldest first, the newest `limit` of it.
Result<QList<ItemAction>> actionsOn(Connection& db, const QString& itemId, int limit);

} // namespace redrive_store
} // namespace redrive
