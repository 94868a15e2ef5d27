#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/place.h"
#include "core/base/clock.h"
#include "core/deadletter/alert_test.h"
#include "core/engine/engine_facts.h"
#include "core/store/alert_post_store.h"

#include <future>

namespace redrive {

namespace {

QString stateText(const AlertTargetRow& row)
{
    if (!row.problem.isEmpty())
        return u"not usable"_s;
    if (row.failingSinceMs)
        return u"failing"_s;
    return row.lastSentAtMs ? u"works"_s : u"no alert yet"_s;
}

QList<AlertTargetRow> configured(const Settings& settings)
{
    QList<AlertTargetRow> rows;
    for (const PostTarget& target : postTargets(settings))
        rows.append(target.row());
    return rows;
}

Status list(const Place& place, bool json)
{
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    REDRIVE_ASSIGN(rows, alert_post_store::withState(*db, configured(place.settings)));
    TextTable table(
        {u"ID"_s, u"FORM"_s, u"STATE"_s, u"LAST ARRIVED"_s, u"WAITING"_s, u"TARGET"_s, u"ERROR"_s});
    for (const AlertTargetRow& row : std::as_const(rows)) {
        const QString error = row.problem.isEmpty() ? row.lastError : row.problem;
        if (json)
            JsonLine()
                .add("id", row.id)
                .add("form", row.form)
                .add("target", row.place)
                .add("state", stateText(row))
                .add("lastArrivedAt", row.lastSentAtMs)
                .add("lastTriedAt", row.lastTriedAtMs)
                .add("failingSince", row.failingSinceMs)
                .add("waiting", row.waiting)
                .addTextOrNull("error", error)
                .print();
        else
            table.add({row.id, row.form, stateText(row), utcText(row.lastSentAtMs),
                       QString::number(row.waiting), row.place, error});
    }
    if (rows.isEmpty() && !json)
        printNotice(u"no target: alerts are shown in the console alone (alerts.webhooks names some)"_s);
    else if (!json)
        table.print();
    return {};
}

Result<bool> testOne(const Settings& settings, const AlertTargetRow& target, HttpSender& sender, bool json)
{
    std::promise<Result<AlertTestResult>> answered;
    sendAlertTest(settings, target.id, SystemClock().wallMs(), sender,
                  [&answered](Result<AlertTestResult> result) { answered.set_value(std::move(result)); });
    const Result<AlertTestResult> result = answered.get_future().get();
    const bool arrived = result && result->arrived;
    const QString words = result ? result->words : result.error().text();
    if (json)
        JsonLine()
            .add("id", target.id)
            .add("form", target.form)
            .add("target", target.place)
            .add("arrived", arrived)
            .add("answer", words)
            .print();
    else
        printLine(u"%1 %2: %3"_s.arg(target.form, target.place,
                                     arrived ? u"arrived, %1 after %2 ms"_s.arg(words).arg(result->tookMs)
                                             : u"did not arrive: "_s + words));
    return arrived;
}

// Of one target, or of all.
Status test(const Place& place, const QString& id, bool json)
{
    QList<AlertTargetRow> targets = configured(place.settings);
    if (!id.isEmpty())
        targets.removeIf([&](const AlertTargetRow& target) { return target.id != id; });
    if (targets.isEmpty())
        return fail(ErrorKind::NotFound, id.isEmpty()
                                             ? u"the configuration names no target of alerts"_s
                                             : u"there is no target of alerts with the id '%1'"_s.arg(id));
    HttpSenderOptions options;
    REDRIVE_ASSIGN(guard,
                   TargetGuard::make(place.settings.allowPrivateTargets, staysOnLoopback(place.settings)));
    options.guard = std::move(guard);
    HttpSender sender(std::move(options));
    sender.start();
    bool all = true;
    for (const AlertTargetRow& target : std::as_const(targets)) {
        REDRIVE_ASSIGN(arrived, testOne(place.settings, target, sender, json));
        all = all && arrived;
    }
    return all ? Status() : fail(ErrorKind::Refused, u"a test alert did not arrive"_s);
}

} // namespace

int runAlerts(const Invocation& invocation)
{
    const QString what = invocation.names.value(0, u"list"_s);
    if (what != u"test" && (what != u"list" || invocation.names.size() > 1)) {
        printError(u"alerts takes list, or test with the ID of a target or without one for all of them"_s);
        return exit_code::kUsage;
    }
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    const Status done = what == u"test" ? test(*place, invocation.names.value(1), invocation.json)
                                        : list(*place, invocation.json);
    return done ? exit_code::kDone : failed(done.error());
}

} // namespace redrive
