#include "ui/pages/detail_values.h"

#include "core/domain/reason.h"
#include "ui/models/state_words.h"
#include "ui/models/verb_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(detail)
};

void sortOldestFirst(QList<TimelineEntry>& entries)
{
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.future != b.future ? b.future : a.atMs < b.atMs;
    });
}

QString took(qint64 fromMs, const std::optional<qint64>& toMs)
{
    return toMs ? format::elapsed(*toMs - fromMs) : QString();
}

QString attemptEntryText(int run, int attempt, const QString& word)
{
    return run > 1 ? Words::tr("Run %1, attempt %2: %3").arg(run).arg(attempt).arg(word)
                   : Words::tr("Attempt %1: %2").arg(attempt).arg(word);
}

void addNext(QList<TimelineEntry>& entries, const std::optional<qint64>& dueAtMs, const QString& reasonCode)
{
    if (!dueAtMs)
        return;
    const auto text = reasonCode == reason::kDelayed ? Words::tr("Falls due") : Words::tr("Next attempt");
    entries.append(
        {*dueAtMs, u"retrying"_s, text, reasonCode.isEmpty() ? QString() : reasonWord(reasonCode), true});
}

QString actionText(const ItemAction& action)
{
    const auto verb = actionVerbFrom(action.verb);
    auto text =
        Words::tr("%1 by %2").arg(verb ? wordsOf(*verb).verb : cellText(action.verb), cellText(action.actor));
    if (!action.newId.isEmpty())
        text += u": "_s + Words::tr("as %1").arg(action.newId);
    return text;
}

// What operators did, with their reasons; until when something was put off.
void addActions(QList<TimelineEntry>& entries, const QList<ItemAction>& actions, format::Zone zone)
{
    for (const auto& action : actions) {
        QStringList notes;
        if (!action.refusal.isEmpty())
            notes.append(Words::tr("refused: it %1").arg(cellText(action.refusal)));
        else if (action.dueAtMs)
            notes.append(Words::tr("until %1").arg(format::fullTime(*action.dueAtMs, zone)));
        if (!action.reason.isEmpty())
            notes.append(cellText(action.reason));
        entries.append({action.atMs, action.refusal.isEmpty() ? QString() : u"held"_s, actionText(action),
                        notes.join(u" \u00B7 "_s), false});
    }
}

void addVersions(QList<TimelineEntry>& entries, const JobDetail& detail)
{
    bool later = false;
    for (const auto& version : detail.versions) {
        if (version.id == detail.job.id) {
            later = true;
            continue;
        }
        const auto status = jobStatusFrom(version.status);
        const auto glyph = status ? toText(*status) : u"unknown"_s;
        entries.append({version.createdAtMs, glyph,
                        (later                ? Words::tr("Newer version %1")
                         : version.superseded ? Words::tr("Former version %1")
                                              : Words::tr("Published once more from %1"))
                            .arg(version.id),
                        cellText(version.status), false});
    }
}

void addLetter(QList<TimelineEntry>& entries, const LetterRow& letter)
{
    entries.append({letter.deadAtMs, u"dead"_s, Words::tr("Dead letter: %1").arg(reasonWord(letter.reason)),
                    cellText(letter.error), false});
    if (letter.state == LetterState::Requeued)
        entries.append({letter.changedAtMs, u"pending"_s, Words::tr("Requeued"), {}, false});
    else if (letter.state == LetterState::Discarded)
        entries.append({letter.changedAtMs, u"cancelled"_s, Words::tr("Discarded into the bin"), {}, false});
}

} // namespace

QString attemptWords(int attempts, int limit)
{
    if (attempts <= 0)
        return {};
    return limit > 0 ? Words::tr("attempt %1 of %2").arg(attempts).arg(qMax(attempts, limit))
                     : Words::tr("attempt %1").arg(attempts);
}

QList<AttemptView> attemptViews(const JobDetail& detail, format::Zone zone)
{
    QList<AttemptView> views;
    const bool severalRuns = detail.job.run > 1;
    for (const auto& attempt : detail.attempts) {
        const auto state = stateOfOutcome(attempt.outcome);
        AttemptView view;
        view.number = attempt.attempt;
        view.startedMs = attempt.startedAtMs;
        view.glyph = state.glyph;
        view.outcome = severalRuns ? Words::tr("%1, run %2").arg(state.word).arg(attempt.run) : state.word;
        if (attempt.finishedAtMs)
            view.totalMs = *attempt.finishedAtMs - attempt.startedAtMs;
        view.facts.append({Words::tr("Started"), format::fullTime(attempt.startedAtMs, zone)});
        if (attempt.finishedAtMs)
            view.facts.append({Words::tr("Finished"), format::fullTime(*attempt.finishedAtMs, zone)});
        if (!attempt.error.isEmpty())
            view.facts.append({Words::tr("Error"), attempt.error, true});
        if (attempt.nextAtMs)
            view.facts.append({Words::tr("Then"),
                               Words::tr("next attempt %1").arg(format::fullTime(*attempt.nextAtMs, zone))});
        views.append(view);
    }
    return views;
}

QList<TimelineEntry> timelineOf(const JobDetail& detail, format::Zone zone)
{
    QList<TimelineEntry> entries;
    const auto& job = detail.job;
    entries.append({job.createdAtMs,
                    {},
                    Words::tr("Accepted into queue %1").arg(cellText(job.queue)),
                    Words::tr("payload %1").arg(format::bytes(job.payloadBytes)),
                    false});
    for (const auto& attempt : detail.attempts) {
        const auto state = stateOfOutcome(attempt.outcome);
        auto note = cellText(attempt.error);
        if (note.isEmpty() && attempt.finishedAtMs)
            note = Words::tr("took %1").arg(took(attempt.startedAtMs, attempt.finishedAtMs));
        entries.append({attempt.finishedAtMs.value_or(attempt.startedAtMs), state.glyph,
                        attemptEntryText(attempt.run, attempt.attempt, state.word), note, false});
    }
    for (const auto& delivery : detail.deliveries) {
        const auto state = stateOf(delivery);
        entries.append({delivery.updatedAtMs, state.glyph,
                        Words::tr("Endpoint %1: %2").arg(cellText(delivery.endpointId), state.word),
                        cellText(delivery.error), false});
    }
    addVersions(entries, detail);
    addActions(entries, detail.actions, zone);
    if (detail.letter)
        addLetter(entries, *detail.letter);
    addNext(entries, job.dueAtMs, job.reason);
    sortOldestFirst(entries);
    return entries;
}

QList<TimelineEntry> timelineOf(const DeliveryDetail& detail, format::Zone zone)
{
    QList<TimelineEntry> entries;
    const auto& delivery = detail.delivery;
    entries.append({delivery.createdAtMs,
                    {},
                    Words::tr("Event %1 for endpoint %2")
                        .arg(cellText(delivery.eventType), cellText(delivery.endpointId)),
                    cellText(delivery.url),
                    false});
    for (const auto& attempt : detail.attempts) {
        const auto state = stateOfOutcome(attempt.outcome);
        auto text = attemptEntryText(1, attempt.attempt, state.word);
        if (attempt.statusCode)
            text += u" \u00B7 "_s + QString::number(*attempt.statusCode);
        if (attempt.kind == u"replay")
            text += u" \u00B7 "_s + Words::tr("replay");
        entries.append({attempt.finishedAtMs.value_or(attempt.startedAtMs), state.glyph, text,
                        cellText(attempt.error), false});
    }
    addActions(entries, detail.actions, zone);
    addNext(entries, delivery.dueAtMs, delivery.reason);
    sortOldestFirst(entries);
    return entries;
}

QList<TimelineEntry> timelineOf(const LetterDetail& detail, format::Zone zone)
{
    QList<TimelineEntry> entries;
    if (detail.job) {
        auto job = *detail.job;
        job.letter.reset();
        entries = timelineOf(job, zone);
    } else if (detail.delivery) {
        entries = timelineOf(*detail.delivery, zone);
    } else {
        entries.append({detail.letter.sentAtMs,
                        {},
                        Words::tr("Sent to queue %1").arg(cellText(detail.letter.sourceQueue)),
                        {},
                        false});
        if (!detail.letter.parentId.isEmpty())
            entries.append({detail.letter.sentAtMs,
                            {},
                            Words::tr("Edited version of %1").arg(detail.letter.parentId),
                            {},
                            false});
        addActions(entries, detail.actions, zone);
    }
    addLetter(entries, detail.letter);
    sortOldestFirst(entries);
    return entries;
}

} // namespace redrive
