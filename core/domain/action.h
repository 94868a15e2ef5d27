// What an operator asks the engine to do, and what became of it. Plain values; any thread.
#pragma once

#include "core/domain/list.h"
#include "core/domain/redrive.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace redrive {

enum class ActionVerb {
    Requeue,       // dead letters go back to their queue; deliveries: a replay with a fresh budget
    Discard,       // dead letters go to the bin
    Restore,       // out of the bin
    Replay,        // deliveries are sent again; ids of jobs: the failed and dead deliveries of those
    ReplayMissing, // endpoints get events they never got, under their own ids
    Publish,       // an event is fanned out once more, as a new one with a new id
    RunNow,        // waiting timers fall due at once
    Postpone,      // waiting timers get another due time
    Cancel,        // waiting work is cancelled, running work asked to stop; a fan-out: its open deliveries
    Edit,          // a new job or message with another payload takes the place of the old one
    PauseQueue,
    ResumeQueue,
    PurgeQueue, // deletes what waits in a queue; what is in flight finishes
};

QString toText(ActionVerb verb); // requeue, discard, restore, replay, run-now, postpone, cancel, edit, …
std::optional<ActionVerb> actionVerbFrom(QStringView text);
// Whether what it does has outcomes, so that it can go at a pace; the others are done at once.
bool takesPace(ActionVerb verb);
// Whether it can be held for a while before it begins, so that it can be taken back.
bool takesHold(ActionVerb verb);

// Exactly one way of saying which items: ids, or everything that matches a filter in a list, or a queue.
struct ActionScope
{
    ListKind list = ListKind::DeadLetters;
    QStringList ids; // jobs, messages, deliveries (subject ids of letters); missing: as missed_event.h writes
    bool matching = false;
    QString filter; // used when matching
    QString queue; // pause, resume and purge: which; requeue and edit: another one than the letters came from
    QString endpointId;            // missing: all that this one never got, in place of ids
    std::optional<qint64> sinceMs; // missing: events since then (unix ms)
    // Replay: whether those that were delivered are sent again. Nothing: where they are named, by an id or by
    // status:delivered; what is delivered only later is left alone.
    std::optional<bool> deliveredToo;
    std::optional<qint64> cutoff; // purge: what a plan said; nothing sent later is touched
};

struct ActionRequest
{
    ActionVerb verb = ActionVerb::Requeue;
    ActionScope scope;
    QString actor;  // who: the user's login name
    QString source; // console or command line
    QString reason;
    std::optional<qint64> delayMs;     // postpone: from now on, 0–86,400,000; or
    std::optional<qint64> dueAtMs;     // at this time (unix ms), at most a day ahead
    std::optional<QByteArray> payload; // edit: the new payload or body, exact bytes
    RedrivePace pace;                  // of verbs with an outcome
    qint64 holdMs = 0;                 // begins so much later, 0–60,000; of verbs that take a hold
};

// What the action would do now. `skipped` counts by words.
struct ActionPlan
{
    int total = 0;
    int willAct = 0;
    QList<std::pair<QString, int>> skipped;
    QStringList sampleIds;        // up to 10
    std::optional<qint64> cutoff; // purge: to be asked for with
};

struct RefusedItem
{
    QString id;
    QString why;
};

// What an operator did to one thing.
struct ItemAction
{
    qint64 redriveNo = 0;
    QString verb; // as stored
    qint64 atMs = 0;
    QString actor;
    QString source;
    QString reason;
    QString refusal;               // empty: it was done
    QString newId;                 // of an edit
    std::optional<qint64> dueAtMs; // of a postponement
};

struct ActionResult
{
    qint64 redriveNo = 0;
    int total = 0;
    int succeeded = 0;
    QList<RefusedItem> refused; // the first 100
    int refusedCount = 0;
    QString newId;        // edit: what took the place of the old one
    bool goesOn = false;  // it has a pace: it is written, and an engine goes on with it
    bool stopped = false; // or taken back: what had not begun by then never does
};

} // namespace redrive
