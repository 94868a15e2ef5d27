#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/operator_name.h"
#include "app/place.h"
#include "app/redrive_runner.h"
#include "core/engine/lone_turn.h"
#include "core/engine/redrive_steering.h"
#include "core/store/redrive_ledger_store.h"

#include <limits>

namespace redrive {

namespace {

QString paceText(const RedrivePace& pace)
{
    QStringList parts;
    if (pace.perSecond > 0)
        parts.append(u"%1/s"_s.arg(pace.perSecond));
    if (pace.inFlight > 0)
        parts.append(u"%1 in flight"_s.arg(pace.inFlight));
    if (pace.brakePercent > 0)
        parts.append(u"brake %1 %"_s.arg(pace.brakePercent));
    if (pace.canary > 0)
        parts.append(u"canary %1"_s.arg(pace.canary));
    return parts.isEmpty() ? u"-"_s : parts.join(u", "_s);
}

QString outcomeText(const RedriveInfo& info)
{
    if (!info.awaitsOutcomes)
        return u"-"_s;
    const RedriveLedger& ledger = info.ledger;
    QStringList parts{u"%1 succeeded"_s.arg(ledger.succeeded)};
    if (ledger.failed() > 0)
        parts.append(u"%1 failed again"_s.arg(ledger.failed()));
    if (ledger.failedAnew > 0)
        parts.last() += u" (%1 with another error)"_s.arg(ledger.failedAnew);
    if (ledger.running > 0)
        parts.append(u"%1 running"_s.arg(ledger.running));
    if (ledger.waiting > 0)
        parts.append(u"%1 waiting"_s.arg(ledger.waiting));
    if (ledger.gone > 0)
        parts.append(u"%1 gone"_s.arg(ledger.gone));
    return parts.join(u", "_s);
}

void print(const RedriveInfo& info)
{
    JsonLine line;
    line.add("redrive", info.no).add("verb", info.verb).add("scope", info.scope);
    line.add("state", toText(info.state)).addTextOrNull("note", info.note);
    line.add("actor", info.actor).add("source", info.source).addTextOrNull("reason", info.reason);
    line.add("total", info.total).add("done", info.done);
    line.addTextOrNull("ratePerSecond",
                       info.pace.perSecond > 0 ? QString::number(info.pace.perSecond) : QString());
    line.add("inFlight", info.pace.inFlight).add("brakePercent", info.pace.brakePercent);
    line.add("canary", info.pace.canary).add("canaryPassed", info.canaryPassed);
    line.add("queued", info.ledger.queued).add("refused", info.ledger.refused);
    line.add("waiting", info.ledger.waiting).add("running", info.ledger.running);
    line.add("succeeded", info.ledger.succeeded).add("failedAgain", info.ledger.failedAgain);
    line.add("failedAnew", info.ledger.failedAnew).add("gone", info.ledger.gone);
    line.add("createdAt", info.createdAtMs).add("startedAt", info.startedAtMs);
    line.add("finishedAt", info.finishedAtMs);
    line.add("heldUntil", info.heldUntilMs).add("undoneAt", info.undoneAtMs).print();
}

void print(TextTable& table, const RedriveInfo& info)
{
    table.add({QString::number(info.no), toText(info.state), info.verb,
               u"%1/%2"_s.arg(info.done).arg(info.total), QString::number(info.ledger.refused),
               paceText(info.pace), outcomeText(info), info.scope, info.note});
}

TextTable newTable()
{
    return TextTable({u"NO"_s, u"STATE"_s, u"VERB"_s, u"DONE"_s, u"REFUSED"_s, u"PACE"_s, u"OUTCOME"_s,
                      u"SCOPE"_s, u"NOTE"_s});
}

Status list(const Place& place, const Invocation& invocation)
{
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    const int most = invocation.limit > 0 ? invocation.limit : std::numeric_limits<int>::max();
    REDRIVE_ASSIGN(rows, redrive_ledger_store::list(*db, most));
    TextTable table = newTable();
    for (const RedriveInfo& info : rows) {
        if (invocation.json)
            print(info);
        else
            print(table, info);
    }
    if (!invocation.json && !rows.isEmpty())
        table.print();
    return {};
}

Status steer(const Place& place, const Invocation& invocation, const RedriveOrder& order)
{
    REDRIVE_TRY(mayChange(invocation));
    REDRIVE_ASSIGN(db, openExisting(place, Access::Writer));
    RedriveInfo info;
    REDRIVE_TRY(runLoneTurn(*db, SystemClock(), [&](Cycle& cycle) -> Status {
        REDRIVE_ASSIGN(steered, steerRedrive(cycle, order));
        info = std::move(steered);
        return {};
    }));
    if (order.steer == RedriveSteer::Undo) // what was discarded comes back
        REDRIVE_TRY(RedriveRunner(*db, place.settings, invocation.profile.engine).executeOpen());
    if (invocation.json) {
        print(info);
        return {};
    }
    TextTable table = newTable();
    print(table, info);
    table.print();
    return {};
}

// Nothing: the words are not understood.
std::optional<RedriveOrder> orderOf(const Invocation& invocation)
{
    const QStringList& words = invocation.names;
    const auto steer = redriveSteerFrom(words.value(0));
    const qsizetype wanted = steer == RedriveSteer::Rate ? 3 : 2;
    if (!steer || words.size() != wanted)
        return std::nullopt;
    RedriveOrder order;
    bool isNumber = false;
    order.no = words[1].toLongLong(&isNumber);
    bool isRate = true;
    if (*steer == RedriveSteer::Rate)
        order.perSecond = words[2].toDouble(&isRate);
    order.steer = *steer;
    order.actor = operatorName();
    order.source = u"command line"_s;
    order.reason = invocation.reason;
    return isNumber && isRate ? std::optional(order) : std::nullopt;
}

} // namespace

int runRedrives(const Invocation& invocation)
{
    const bool lists = invocation.names.isEmpty() || invocation.names == QStringList{u"list"_s};
    const auto order = orderOf(invocation);
    if (!lists && !order) {
        printError(u"redrives takes list, pause NO, continue NO, stop NO, undo NO or rate NO N"_s);
        return exit_code::kUsage;
    }
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    const Status done = lists ? list(*place, invocation) : steer(*place, invocation, *order);
    return done ? exit_code::kDone : failed(done.error());
}

} // namespace redrive
