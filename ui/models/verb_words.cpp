#include "ui/models/verb_words.h"

#include "ui/models/format.h"
#include "ui/models/state_words.h"

#include <QCoreApplication>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(verbs)
};

constexpr int kNamedRefusals = 3;

QString doneText(ActionVerb verb, const QString& done, const QString& total)
{
    switch (verb) {
    case ActionVerb::Requeue:
        return Words::tr("%1 of %2 requeued").arg(done, total);
    case ActionVerb::Discard:
        return Words::tr("%1 of %2 discarded").arg(done, total);
    case ActionVerb::Restore:
        return Words::tr("%1 of %2 restored").arg(done, total);
    case ActionVerb::Replay:
        return Words::tr("%1 of %2 replayed").arg(done, total);
    case ActionVerb::ReplayMissing:
        return Words::tr("%1 of %2 delivered for the first time").arg(done, total);
    case ActionVerb::Publish:
        return Words::tr("%1 of %2 published as new events").arg(done, total);
    case ActionVerb::RunNow:
        return Words::tr("%1 of %2 made due now").arg(done, total);
    case ActionVerb::Postpone:
        return Words::tr("%1 of %2 postponed").arg(done, total);
    case ActionVerb::Cancel:
        return Words::tr("%1 of %2 cancelled").arg(done, total);
    case ActionVerb::Edit:
        return Words::tr("%1 of %2 edited and requeued").arg(done, total);
    case ActionVerb::PauseQueue:
        return Words::tr("%1 of %2 paused").arg(done, total);
    case ActionVerb::ResumeQueue:
        return Words::tr("%1 of %2 resumed").arg(done, total);
    case ActionVerb::PurgeQueue:
        break;
    }
    return Words::tr("%1 of %2 deleted").arg(done, total);
}

} // namespace

VerbWords wordsOf(ActionVerb verb)
{
    switch (verb) {
    case ActionVerb::Requeue:
        return {Words::tr("Requeue"), u"requeue"_s, Words::tr("will be requeued"),
                Words::tr("Each starts a new run with fresh retries in the queue it came from; a delivery is "
                          "sent again.")};
    case ActionVerb::Discard:
        return {
            Words::tr("Discard"), u"discard"_s, Words::tr("will be discarded"),
            Words::tr("They leave the dead letters and stay in the bin for 7 days; they do not run again.")};
    case ActionVerb::Restore:
        return {Words::tr("Restore"), u"requeue"_s, Words::tr("will be restored"),
                Words::tr("They leave the bin and are dead letters again; nothing runs.")};
    case ActionVerb::Replay:
        return {
            Words::tr("Replay"), u"replay"_s, Words::tr("will be sent again"),
            Words::tr(
                "The endpoint receives the same event id again with a new signature; other endpoints receive "
                "nothing.")};
    case ActionVerb::ReplayMissing:
        return {Words::tr("Replay missing"), u"replay"_s, Words::tr("will be delivered for the first time"),
                Words::tr("The endpoint receives the events it never got, under their own ids; other "
                          "endpoints receive nothing.")};
    case ActionVerb::Publish:
        return {
            Words::tr("Publish again"), u"replay"_s, Words::tr("will be published as new events"),
            Words::tr("Each is fanned out once more with a new id: every endpoint receives it, also those "
                      "that have it already.")};
    case ActionVerb::RunNow:
        return {Words::tr("Run now"), u"play"_s, Words::tr("will fall due now"),
                Words::tr("They run at once instead of waiting for their timers.")};
    case ActionVerb::Postpone:
        return {
            Words::tr("Postpone"), u"timers"_s, Words::tr("will fall due then"),
            Words::tr("They wait until then instead; why they wait and how often they were tried stays.")};
    case ActionVerb::Cancel:
        return {Words::tr("Cancel"), u"stop"_s, Words::tr("will be cancelled"),
                Words::tr("What waits never runs. What runs is stopped within a second; what it has done by "
                          "then stays done. Of a fan-out, the deliveries that are still open. This cannot be "
                          "undone.")};
    case ActionVerb::Edit:
        return {Words::tr("Edit and requeue"), u"edit"_s, Words::tr("will be edited and requeued"),
                Words::tr("A new job with this payload takes the place of the old one, which is kept as "
                          "cancelled.")};
    case ActionVerb::PauseQueue:
        return {Words::tr("Pause"), u"pause"_s, Words::tr("will be paused"),
                Words::tr("The queue goes on accepting work and delivers nothing until it is resumed.")};
    case ActionVerb::ResumeQueue:
        return {Words::tr("Resume"), u"play"_s, Words::tr("will be resumed"),
                Words::tr("The queue delivers what has waited, in due order.")};
    case ActionVerb::PurgeQueue:
        break;
    }
    return {
        Words::tr("Purge"), u"discard"_s, Words::tr("will be deleted"),
        Words::tr("What waits or is delayed is deleted for good and its jobs become cancelled. What is in "
                  "flight finishes; dead letters stay.")};
}

QString itemsText(ListKind list, qint64 count)
{
    const int plural = format::plural(count);
    const auto number = format::number(count);
    switch (list) {
    case ListKind::Jobs:
        return Words::tr("%1 job(s)", nullptr, plural).arg(number);
    case ListKind::Timers:
        return Words::tr("%1 timer(s)", nullptr, plural).arg(number);
    case ListKind::DeadLetters:
        return Words::tr("%1 dead letter(s)", nullptr, plural).arg(number);
    case ListKind::Bin:
        return Words::tr("%1 discarded letter(s)", nullptr, plural).arg(number);
    case ListKind::Activity:
        return Words::tr("%1 entries").arg(number);
    case ListKind::Telemetry:
        return Words::tr("%1 row(s) of telemetry", nullptr, plural).arg(number);
    case ListKind::Deliveries:
        break;
    }
    return count == 1 ? Words::tr("%1 delivery").arg(number) : Words::tr("%1 deliveries").arg(number);
}

QString verbWithCount(ActionVerb verb, ListKind list, qint64 count)
{
    if (verb == ActionVerb::ReplayMissing)
        return Words::tr("Deliver %1 missed event(s)", nullptr, format::plural(count))
            .arg(format::number(count));
    return wordsOf(verb).verb + u' ' + itemsText(list, count);
}

QString resultText(ActionVerb verb, const ActionResult& result)
{
    if (result.goesOn)
        return Words::tr("Operation %1: %2 begin one after the other")
            .arg(format::number(result.redriveNo), format::number(qint64(result.total)));
    if (result.stopped && result.succeeded + result.refusedCount == 0)
        return Words::tr("%1 was taken back: nothing was done").arg(wordsOf(verb).verb);
    auto text =
        doneText(verb, format::number(qint64(result.succeeded)), format::number(qint64(result.total)));
    if (!result.newId.isEmpty())
        text += Words::tr(" as %1").arg(format::shortId(result.newId));
    if (result.refusedCount == 0)
        return text;
    QStringList named;
    for (const auto& item : result.refused.mid(0, kNamedRefusals))
        named.append(format::shortId(cellText(item.id)) + u' ' + cellText(item.why));
    text += Words::tr("; refused: %1").arg(named.join(u", "_s));
    if (const int more = result.refusedCount - int(named.size()); more > 0)
        text += Words::tr(" and %1 more").arg(format::number(qint64(more)));
    return text;
}

} // namespace redrive
