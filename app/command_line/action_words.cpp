#include "app/command_line/action_words.h"

#include "app/command_line/output.h"

namespace redrive {

namespace {

QString doneWord(ActionVerb verb)
{
    switch (verb) {
    case ActionVerb::Requeue:
        return u"requeued"_s;
    case ActionVerb::Discard:
        return u"discarded"_s;
    case ActionVerb::Restore:
        return u"restored"_s;
    case ActionVerb::Replay:
        return u"replayed"_s;
    case ActionVerb::ReplayMissing:
        return u"delivered for the first time"_s;
    case ActionVerb::Publish:
        return u"published as new events"_s;
    case ActionVerb::RunNow:
        return u"due now"_s;
    case ActionVerb::Postpone:
        return u"postponed"_s;
    case ActionVerb::Cancel:
        return u"cancelled"_s;
    case ActionVerb::Edit:
        return u"edited and requeued"_s;
    case ActionVerb::PauseQueue:
        return u"paused"_s;
    case ActionVerb::ResumeQueue:
        return u"resumed"_s;
    case ActionVerb::PurgeQueue:
        break;
    }
    return u"deleted"_s;
}

} // namespace

void printPlanWords(ActionVerb verb, const ActionPlan& plan)
{
    printLine(u"%1 of %2 would be %3"_s.arg(plan.willAct).arg(plan.total).arg(doneWord(verb)));
    for (const auto& [words, count] : plan.skipped)
        printLine(u"skipped: %1 × %2"_s.arg(count).arg(words));
    for (const QString& id : plan.sampleIds)
        printLine(u"  "_s + id);
    if (plan.willAct > plan.sampleIds.size())
        printLine(u"  … and %1 more"_s.arg(plan.willAct - plan.sampleIds.size()));
}

void printPlanJson(ActionVerb verb, const ActionPlan& plan)
{
    QStringList skipped;
    for (const auto& [words, count] : plan.skipped)
        skipped.append(u"%1 × %2"_s.arg(count).arg(words));
    JsonLine()
        .add("verb", toText(verb))
        .add("total", plan.total)
        .add("willAct", plan.willAct)
        .add("skipped", skipped)
        .add("sampleIds", plan.sampleIds)
        .print();
}

void printResultWords(ActionVerb verb, const ActionResult& result)
{
    if (result.total == 0) {
        printLine(verb == ActionVerb::PurgeQueue ? u"nothing waits there"_s : u"nothing matches"_s);
        return;
    }
    if (result.goesOn) {
        printLine(
            u"redrive %1: %2 items, an engine goes on with it (redrive redrives)"_s.arg(result.redriveNo)
                .arg(result.total));
        return;
    }
    printLine(u"%1 of %2 %3"_s.arg(result.succeeded).arg(result.total).arg(doneWord(verb)));
    if (!result.newId.isEmpty())
        printLine((verb == ActionVerb::Edit ? u"its newer version is "_s : u"the first of them is "_s) +
                  result.newId);
    for (const RefusedItem& item : result.refused)
        printNotice(u"%1: %2"_s.arg(item.id, item.why));
    if (result.refusedCount > result.refused.size())
        printNotice(u"… and %1 more refusals"_s.arg(result.refusedCount - result.refused.size()));
}

void printResultJson(ActionVerb verb, const ActionResult& result)
{
    JsonLine()
        .add("verb", toText(verb))
        .add("redrive", result.redriveNo)
        .add("total", result.total)
        .add("succeeded", result.succeeded)
        .add("refused", result.refusedCount)
        .addTextOrNull("newId", result.newId)
        .add("goesOn", result.goesOn)
        .print();
    for (const RefusedItem& item : result.refused)
        JsonLine().add("id", item.id).add("refused", item.why).print();
}

} // namespace redrive
