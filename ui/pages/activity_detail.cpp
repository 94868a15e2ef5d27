// The timeline of an action or an alert.
#include "ui/models/activity_words.h"
#include "ui/models/state_words.h"
#include "ui/pages/detail_values.h"

#include <QCoreApplication>

#include <algorithm>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(activity)
};

QString formWord(const QString& form)
{
    if (form == u"slack")
        return u"Slack"_s;
    return form == u"pagerduty" ? u"PagerDuty"_s : u"JSON"_s;
}

TimelineEntry entryOf(const AlertPost& post, format::Zone zone)
{
    const QString where = u"%1, %2"_s.arg(formWord(post.form), cellText(post.place));
    const QString error = cellText(post.error);
    if (post.state == u"sent")
        return {post.changedAtMs, u"delivered"_s, Words::tr("Sent to %1").arg(where),
                post.attempts > 1 ? Words::tr("at attempt %1").arg(post.attempts) : QString(), false};
    if (post.state == u"failed")
        return {post.changedAtMs, u"failed"_s, Words::tr("Given up: %1").arg(where), error, false};
    if (post.attempts == 0 || !post.dueAtMs)
        return {post.changedAtMs, u"sending"_s, Words::tr("Being sent to %1").arg(where), error, false};
    return {*post.dueAtMs, u"retrying"_s, Words::tr("Next attempt at %1").arg(where),
            Words::tr("%1 failed, the last at %2: %3")
                .arg(post.attempts)
                .arg(format::fullTime(post.changedAtMs, zone), error),
            true};
}

void addAlert(QList<TimelineEntry>& entries, const Alert& alert)
{
    for (const AlertExample& example : alert.examples) {
        const QString place = example.endpoint.isEmpty() ? example.queue : example.endpoint;
        QStringList words{cellText(example.type), cellText(place)};
        words.removeAll(QString());
        entries.append({alert.firstAtMs, u"dead"_s,
                        Words::tr("For example %1 %2").arg(cellText(example.kind), example.id),
                        words.join(u" \u00B7 "_s) + u": "_s + cellText(example.error), false});
    }
    if (alert.lastAtMs > alert.firstAtMs)
        entries.append(
            {alert.lastAtMs, {}, Words::tr("The last of %1").arg(format::number(alert.count)), {}, false});
}

} // namespace

QList<TimelineEntry> timelineOf(const ActivityDetail& detail, format::Zone zone)
{
    const ActivityRow& row = detail.row;
    QList<TimelineEntry> entries;
    if (!detail.alert) {
        QStringList notes;
        if (row.redriveNo > 0)
            notes.append(Words::tr("redrive #%1").arg(row.redriveNo));
        if (!row.reason.isEmpty())
            notes.append(cellText(row.reason));
        entries.append(
            {row.atMs, u"done"_s,
             Words::tr("%1 by %2: %3").arg(activityWord(row), activityActor(row), activityOutcome(row)),
             notes.join(u" \u00B7 "_s), false});
        return entries;
    }
    addAlert(entries, *detail.alert);
    entries.append({row.atMs, u"held"_s, Words::tr("Alert %1").arg(detail.alert->no),
                    Words::tr("group %1").arg(detail.alert->signature.left(8)), false});
    for (const AlertPost& post : detail.posts)
        entries.append(entryOf(post, zone));
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.future != b.future ? b.future : a.atMs < b.atMs;
    });
    return entries;
}

} // namespace redrive
