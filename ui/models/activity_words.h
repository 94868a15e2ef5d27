// Actions of operators and alerts in words. Plain text. Window thread (translations); otherwise pure.
#pragma once

#include "core/domain/activity.h"

namespace redrive {

// "Requeue", "Redrive pause", "Dead letters", "Circuit breaker open".
QString activityWord(const ActivityRow& row);
// Who did it; of an alert, the program.
QString activityActor(const ActivityRow& row);
// "12 done, 2 refused"; of an alert what came of its posts: "sent to 1, 1 still to arrive".
QString activityOutcome(const ActivityRow& row);
// The whole of it in one or two sentences.
QString activitySentence(const ActivityRow& row);

// What a notification says: "3 dead letters" and "HTTP 503 (acme)". Several become one.
struct AlertHeadline
{
    QString title;
    QString text;
};
AlertHeadline alertHeadline(const QList<Alert>& alerts); // newest first, at least one

} // namespace redrive
