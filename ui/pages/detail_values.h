// What the detail shows of jobs, deliveries and letters, as values of its widgets. Everything from outside
// stays plain text. Window thread (translations); otherwise pure.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/widgets/attempts_list.h"
#include "ui/widgets/timeline_list.h"

namespace redrive {

QList<AttemptView> attemptViews(const JobDetail& detail, format::Zone zone);
QList<AttemptView> attemptViews(const DeliveryDetail& detail, format::Zone zone);

// Oldest first; what is still to come stands last.
QList<TimelineEntry> timelineOf(const JobDetail& detail, format::Zone zone);
QList<TimelineEntry> timelineOf(const DeliveryDetail& detail, format::Zone zone);
// The letter's own history after that of its job or delivery.
QList<TimelineEntry> timelineOf(const LetterDetail& detail, format::Zone zone);

// What an action came to, or what an alert counts and what came of its posts.
QList<TimelineEntry> timelineOf(const ActivityDetail& detail, format::Zone zone);

QString attemptWords(int attempts, int limit); // "attempt 4 of 4"; empty before the first

} // namespace redrive
