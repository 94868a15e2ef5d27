#include "ui/models/operation_words.h"

#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/models/verb_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(operations)
};

constexpr double kFirstRate = 50; // what Slower makes of no limit
constexpr double kNoLimitFrom = 10'000;

QString rateText(double perSecond)
{
    const bool whole = perSecond == std::floor(perSecond);
    return Words::tr("%1/s").arg(format::number(perSecond, whole ? 0 : perSecond < 1 ? 3 : 1));
}

QString pageOf(const RedriveInfo& info)
{
    const auto verb = actionVerbFrom(info.verb);
    if (verb == ActionVerb::Discard || verb == ActionVerb::Restore)
        return u"dead-letters"_s;
    const bool makesDeliveries = verb == ActionVerb::ReplayMissing;
    return info.ofDeliveries || makesDeliveries ? u"deliveries"_s : u"jobs"_s;
}

} // namespace

QString operationTitle(const RedriveInfo& info)
{
    const auto verb = actionVerbFrom(info.verb);
    return (verb ? wordsOf(*verb).verb : cellText(info.verb)) + u" #"_s + QString::number(info.no);
}

QString operationIcon(const RedriveInfo& info)
{
    const auto verb = actionVerbFrom(info.verb);
    return verb ? wordsOf(*verb).icon : u"activity"_s;
}

QString operationCount(const RedriveInfo& info)
{
    return Words::tr("%1 of %2").arg(format::number(qint64(info.done)), format::number(qint64(info.total)));
}

QString operationPace(const RedriveInfo& info)
{
    const RedrivePace& pace = info.pace;
    QStringList parts;
    if (pace.perSecond > 0)
        parts.append(rateText(pace.perSecond));
    if (pace.inFlight > 0)
        parts.append(Words::tr("%1 in flight").arg(format::number(qint64(pace.inFlight))));
    if (pace.canary > 0 && !info.canaryPassed)
        parts.append(Words::tr("first %1").arg(format::number(qint64(pace.canary))));
    if (pace.brakePercent > 0)
        parts.append(Words::tr("brake at %1 %").arg(pace.brakePercent));
    return parts.join(u", "_s);
}

QString operationState(const RedriveInfo& info)
{
    const bool canary = info.pace.canary > 0 && !info.canaryPassed && info.ledger.queued > 0;
    QString word;
    switch (info.state) {
    case RedriveState::Requested:
        word = Words::tr("Waits for an engine");
        break;
    case RedriveState::Running:
        word = canary ? Words::tr("First ones") : Words::tr("Running");
        break;
    case RedriveState::Paused:
        word = Words::tr("Paused");
        break;
    case RedriveState::Stopped:
        word = Words::tr("Stopped");
        break;
    case RedriveState::Done:
        word = info.ledger.running + info.ledger.waiting > 0 ? Words::tr("Outcomes are awaited")
                                                             : Words::tr("Done");
        break;
    }
    return info.note.isEmpty() ? word : word + u": "_s + cellText(info.note);
}

QString holdText(const RedriveInfo& info, qint64 nowMs)
{
    return info.isHeld(nowMs) ? Words::tr("Begins in %1").arg(format::countdown(*info.heldUntilMs - nowMs))
                              : QString();
}

bool canBeUndone(const RedriveInfo& info)
{
    const bool fromBin = info.verb == toText(ActionVerb::Discard) && info.done > info.ledger.refused;
    return !info.undoneAtMs && (info.isOpen() || fromBin);
}

QString undoneText(const RedriveInfo& info)
{
    const qint64 begun = info.done - info.ledger.refused;
    const auto title = operationTitle(info);
    if (begun == 0)
        return Words::tr("%1 is taken back: nothing of it was done").arg(title);
    if (info.verb == toText(ActionVerb::Discard))
        return Words::tr("%1: %2 come back from the bin").arg(title, format::number(begun));
    return Words::tr("%1 begins no more; %2 of %3 had begun")
        .arg(title, format::number(begun), format::number(qint64(info.total)));
}

QList<OperationFigure> operationFigures(const RedriveInfo& info)
{
    const RedriveLedger& ledger = info.ledger;
    const auto base = u"redrive:"_s + QString::number(info.no);
    QList<OperationFigure> figures;
    const auto add = [&](int count, const QString& name, const QString& words, const QString& outcome,
                         const QString& state) {
        if (count > 0)
            figures.append(
                {name, words.arg(format::number(qint64(count))), pageOf(info), base + u'/' + outcome, state});
    };
    add(ledger.succeeded, u"succeeded"_s, Words::tr("%1 succeeded"), u"succeeded"_s, u"done"_s);
    auto failed = Words::tr("%1 failed again");
    if (ledger.failedAnew > 0)
        failed += u' ' + Words::tr("(%1 with another error)").arg(format::number(qint64(ledger.failedAnew)));
    add(ledger.failed(), u"failed"_s, failed, u"failed"_s, u"dead"_s);
    add(ledger.running, u"running"_s, Words::tr("%1 running"), u"waiting"_s, {});
    add(ledger.waiting, u"waiting"_s, Words::tr("%1 waiting"), u"waiting"_s, {});
    add(ledger.gone, u"gone"_s, Words::tr("%1 gone"), u"gone"_s, {});
    add(ledger.refused, u"refused"_s, Words::tr("%1 refused"), u"refused"_s, {});
    if (info.state != RedriveState::Requested)
        add(ledger.queued, u"queued"_s, Words::tr("%1 not begun"), u"queued"_s, {});
    return figures;
}

QString rateObstacle(const RedriveInfo& info)
{
    const auto verb = actionVerbFrom(info.verb);
    return verb && !takesPace(*verb) ? Words::tr("It is done at once and takes no pace.") : QString();
}

double slowerRate(double perSecond)
{
    return perSecond <= 0 ? kFirstRate : std::max(RedrivePace::kLowestRate, perSecond / 2);
}

double fasterRate(double perSecond)
{
    return perSecond * 2 > kNoLimitFrom ? 0 : perSecond * 2;
}

} // namespace redrive
