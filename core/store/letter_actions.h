// What requeue, discard, restore and replay change about letters, their jobs and messages. Inside a turn's
// transaction; the caller has judged the subject in the same one.
#pragma once

#include "core/store/action_subject.h"
#include "core/store/cycle.h"

namespace redrive::letter_actions {

// A dead job becomes pending in its next run, with a fresh budget and a message in the queue; the copy in the
// dead-letter queue goes.
Status requeueJob(Cycle& cycle, const QString& id, const QString& queue);
// The letter of a plain message becomes a message of the queue again, under its own id.
Status requeueMessage(Cycle& cycle, const QString& id, qint64 letterNo, const QString& queue);
// All letters of the subject that are in the one state get the other.
Status moveLetters(Cycle& cycle, const QString& id, LetterState from, LetterState to);
// The mark that takes a dead job or delivery out of the dead counts.
Status setDiscarded(Cycle& cycle, const QString& id, LetterKind kind, bool discarded);
// The copy that waits in the letter's dead-letter queue.
Status removeCopy(Cycle& cycle, const QString& id);

} // namespace redrive::letter_actions
