// What was done and told: actions of operators and alerts, as one list. Plain values; any thread. Times are
// unix milliseconds.
#pragma once

#include "core/domain/alert.h"

namespace redrive {

struct ActivityRow
{
    qint64 key = 0; // number of the action or alert × 2, + 1 for an alert
    bool isAlert = false;
    QString id; // "action 12", "alert 7"
    qint64 atMs = 0;
    QString what;   // requeue, endpoint-edit …; an alert's kind
    QString target; // the scope in words; an alert's title
    qint64 count = 0;

    // Of an action.
    QString actor;
    QString source; // console, command line
    qint64 redriveNo = 0;
    QString reason;
    QString result;

    // Of an alert.
    bool isDigest = false;
    qint64 sent = 0; // posts, by what came of them
    qint64 waiting = 0;
    qint64 failed = 0;
    QString postError; // of one that waits or has failed

    // Of an alert: shown (no target is configured), waiting, retrying, sent, failed. Of an action: done.
    QString state() const;

    bool operator==(const ActivityRow&) const = default;
};

struct ActivityDetail
{
    ActivityRow row;
    std::optional<Alert> alert;
    QList<AlertPost> posts; // of the alert
};

} // namespace redrive
