// What edit and requeue changes: a new job or message with another payload takes the place of the old one,
// which stays and names it. Inside a turn's transaction; the caller has judged the subject in the same one.
#pragma once

#include "core/store/action_subject.h"
#include "core/store/cycle.h"

namespace redrive::edit_actions {

// The old job becomes cancelled (superseded), its message or copy goes, its letter is requeued; the new one
// is of the same type and runs in `queue`, without waiting for a batch.
Status supersedeJob(Cycle& cycle, const QString& id, const QString& newId, const QString& queue,
                    const QByteArray& payload);
// A second job with the same payload, which names the first as its parent; that stays as it is.
Status copyJob(Cycle& cycle, const QString& id, const QString& newId, const QString& queue);
// The letter of a plain message; the new message has the same content type.
Status supersedeMessage(Cycle& cycle, const ActionSubject& subject, const QString& newId,
                        const QString& queue, const QByteArray& body);

} // namespace redrive::edit_actions
