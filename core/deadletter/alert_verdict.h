// What an answer to an alert's post means, and when it is posted again. Pure; any thread.
#pragma once

#include "core/deadletter/alert_target.h"
#include "core/net/http_exchange.h"

namespace redrive {

struct PostVerdict
{
    enum Kind {
        Arrived,
        Again,       // later
        Never,       // the target will not take it, however often it is posted
        Interrupted, // the engine ended it: that counts nowhere
    };

    Kind kind = Arrived;
    QString words;     // why not, in one line, without what is secret
    qint64 waitMs = 0; // Again
};

// `failedBefore`: attempts of this post that have failed. After the last one of its budget it is Never.
PostVerdict postVerdict(const HttpOutcome& outcome, const PostTarget& target, int failedBefore, qint64 nowMs);

} // namespace redrive
