#include "core/deadletter/alert_grouping.h"

#include "core/domain/failure_signature.h"
#include "core/store/alert_store.h"
#include "core/store/letter_read_store.h"

#include <map>

namespace redrive::alert_grouping {

namespace {

constexpr int kMostNotes = 100;
constexpr int kMostEnded = 100;

using News = std::map<QString, AlertGroup>; // by signature

AlertExample exampleOf(const LetterRow& letter)
{
    return {toText(letter.kind), letter.subjectId,  letter.type,
            letter.sourceQueue,  letter.endpointId, letter.error};
}

void addTo(AlertGroup& group, qint64 atMs, const QList<AlertExample>& examples, qint64 count)
{
    group.firstAtMs = group.waiting == 0 ? atMs : std::min(group.firstAtMs, atMs);
    group.lastAtMs = std::max(group.waiting == 0 ? atMs : group.lastAtMs, atMs);
    group.waiting += count;
    for (const AlertExample& example : examples)
        if (group.examples.size() < Alert::kMaxExamples)
            group.examples.append(example);
}

void take(News& news, AlertKind kind, const QString& signature, const QString& title, qint64 atMs,
          const QList<AlertExample>& examples)
{
    AlertGroup& group = news[signature];
    group.signature = signature;
    group.kind = kind;
    group.title = title;
    addTo(group, atMs, examples, 1);
}

Result<bool> takeLetters(Cycle& cycle, News& news)
{
    REDRIVE_ASSIGN(reach, alert_store::reach(cycle.db));
    REDRIVE_ASSIGN(letters, letter_read_store::after(cycle.db, reach, kMostLetters));
    for (const LetterRow& letter : letters) {
        if (letter.changedAtMs > letter.deadAtMs) // imported, or somebody has dealt with it already
            continue;
        const FailureGroup group = failureGroup(letter);
        take(news, AlertKind::DeadLetters, group.signature, group.title, letter.deadAtMs,
             {exampleOf(letter)});
    }
    if (!letters.isEmpty())
        REDRIVE_TRY(alert_store::setReach(cycle, letters.last().key));
    return letters.size() == kMostLetters;
}

Result<bool> takeNotes(Cycle& cycle, News& news)
{
    REDRIVE_ASSIGN(notes, alert_store::notes(cycle.db, kMostNotes));
    for (const AlertNote& note : notes) {
        const QString title = note.detail.isEmpty() ? note.subject : note.subject + u": "_s + note.detail;
        take(news, note.kind, plainSignature(toText(note.kind), note.subject), title, note.atMs, {});
    }
    if (!notes.isEmpty())
        REDRIVE_TRY(alert_store::forgetNotes(cycle, notes.last().no));
    return notes.size() == kMostNotes;
}

Status alertOf(Cycle& cycle, AlertGroup group, bool isDigest, qint64 windowMs)
{
    const Alert alert{0,
                      group.kind,
                      group.signature,
                      group.title,
                      isDigest,
                      group.waiting,
                      group.firstAtMs,
                      group.lastAtMs,
                      group.examples,
                      0};
    REDRIVE_TRY(alert_store::add(cycle, alert));
    group.windowEndsAtMs = cycle.nowMs + windowMs;
    group.waiting = 0;
    group.examples.clear();
    return alert_store::saveGroup(cycle, group);
}

Result<bool> closeWindows(Cycle& cycle, qint64 windowMs)
{
    REDRIVE_ASSIGN(ended,
                   alert_store::endedGroups(cycle.db, cycle.nowMs, cycle.nowMs + windowMs, kMostEnded));
    for (const AlertGroup& group : ended)
        REDRIVE_TRY(group.waiting > 0 ? alertOf(cycle, group, true, windowMs)
                                      : alert_store::removeGroup(cycle, group.signature));
    return ended.size() == kMostEnded;
}

Result<bool> joined(Cycle& cycle, const AlertGroup& news)
{
    REDRIVE_ASSIGN(known, alert_store::group(cycle.db, news.signature));
    if (!known)
        return false;
    const qint64 lastAtMs = std::max(known->lastAtMs, news.lastAtMs);
    addTo(*known, news.firstAtMs, news.examples, news.waiting);
    known->lastAtMs = known->waiting == news.waiting ? news.lastAtMs : lastAtMs;
    REDRIVE_TRY(alert_store::saveGroup(cycle, *known));
    return true;
}

Status tell(Cycle& cycle, AlertGroup news, qint64 windowMs)
{
    REDRIVE_ASSIGN(waits, joined(cycle, news));
    if (waits)
        return {};
    REDRIVE_ASSIGN(made, alert_store::countSince(cycle.db, cycle.nowMs - windowMs));
    if (made >= kMostAlerts && news.kind == AlertKind::DeadLetters) {
        news.signature = plainSignature(toText(news.kind), u"further"_s);
        news.title = u"failures of further kinds"_s;
        REDRIVE_ASSIGN(waitsWithOthers, joined(cycle, news));
        if (waitsWithOthers)
            return {};
    }
    return alertOf(cycle, news, false, windowMs);
}

} // namespace

Result<bool> work(Cycle& cycle, qint64 windowMs)
{
    REDRIVE_ASSIGN(moreEnded, closeWindows(cycle, windowMs));
    News news;
    REDRIVE_ASSIGN(moreLetters, takeLetters(cycle, news));
    REDRIVE_ASSIGN(moreNotes, takeNotes(cycle, news));
    for (const auto& [signature, group] : news)
        REDRIVE_TRY(tell(cycle, group, windowMs));
    return moreEnded || moreLetters || moreNotes;
}

} // namespace redrive::alert_grouping
