// Posts of alerts: one for each alert and target, with attempts and a due time of its own. Inside a turn's
// transaction, or on a reader's connection.
#pragma once

#include "core/domain/alert.h"
#include "core/store/cycle.h"

namespace redrive {

struct DuePost
{
    qint64 alertNo = 0;
    int attempts = 0; // that have failed
};

namespace alert_post_store {

// A target that is not known yet begins with the alerts that are still to come.
Status keepTarget(Cycle& cycle, const AlertTargetRow& target);
Result<std::optional<AlertTargetRow>> target(Connection& db, const QString& id);
// The configured ones with what is known of them.
Result<QList<AlertTargetRow>> withState(Connection& db, QList<AlertTargetRow> configured);

// A post, due now, for each alert made since the target last had one and not before `sinceMs`; at most
// `limit`. Returns how many alerts it went through.
Result<int> makePosts(Cycle& cycle, const QString& targetId, qint64 sinceMs, int limit);

// The target's oldest due post.
Result<std::optional<DuePost>> due(Cycle& cycle, const QString& targetId);
Result<std::optional<qint64>> nextDueMs(Connection& db, const QString& targetId);
// It is being sent by this engine from now on.
Status begin(Cycle& cycle, qint64 alertNo, const QString& targetId);
// What came of it. False: it has left this engine meanwhile.
Result<bool> sent(Cycle& cycle, qint64 alertNo, const QString& targetId);
// Without a due time it is given up.
Result<bool> failed(Cycle& cycle, qint64 alertNo, const QString& targetId, const QString& error,
                    std::optional<qint64> dueAtMs);
// As if it had not been begun: due at once. Returns how many.
Result<int> giveBack(Cycle& cycle, qint64 instanceNo, int limit);
Status giveBack(Cycle& cycle, qint64 alertNo, const QString& targetId);
// Those of targets that no engine posts to any more.
Status giveUpOlder(Cycle& cycle, qint64 dueBeforeMs);

Result<QList<AlertPost>> ofAlert(Connection& db, qint64 alertNo);

} // namespace alert_post_store
} // namespace redrive
