#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/operator_name.h"
#include "app/place.h"
#include "core/engine/lone_turn.h"
#include "core/intake/token_changes.h"
#include "core/store/token_store.h"

namespace redrive {

namespace {

QString rateText(const std::optional<double>& rate)
{
    return rate ? QString::number(*rate, 'g', 9) + u"/s"_s : u"-"_s;
}

QString opensText(TokenScope scope)
{
    return scope == TokenScope::Ingest ? u"ingest"_s : u"all"_s;
}

QString stateText(const TokenRow& row)
{
    if (row.revokedAtMs)
        return u"revoked"_s;
    return row.oldSecretUntilMs ? u"rotating"_s : u"in use"_s;
}

void print(const TokenRow& row)
{
    JsonLine line;
    line.add("name", row.name).add("state", stateText(row)).add("opens", opensText(row.opens));
    line.add("kept", row.isKept).add("createdAt", row.createdAtMs);
    line.add("createdBy", row.createdBy).add("secretAt", row.secretAtMs);
    line.add("oldSecretUntil", row.oldSecretUntilMs).add("lastUsedAt", row.lastUsedAtMs);
    line.add("revokedAt", row.revokedAtMs);
    line.addTextOrNull("ratePerSecond", row.ratePerSecond ? QString::number(*row.ratePerSecond) : QString());
    line.print();
}

// What an older secret has been given to end may be over by now.
TokenRow asOf(TokenRow row, qint64 nowMs)
{
    if (row.oldSecretUntilMs && *row.oldSecretUntilMs <= nowMs)
        row.oldSecretUntilMs.reset();
    return row;
}

Status list(const Place& place, bool json)
{
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    REDRIVE_ASSIGN(rows, token_store::list(*db));
    TextTable table({u"NAME"_s, u"STATE"_s, u"OPENS"_s, u"RATE"_s, u"CREATED"_s, u"BY"_s, u"LAST USED"_s,
                     u"OLD SECRET UNTIL"_s});
    const qint64 nowMs = SystemClock().wallMs();
    for (const TokenRow& stored : rows) {
        const TokenRow row = asOf(stored, nowMs);
        if (json)
            print(row);
        else
            table.add({row.name, stateText(row), opensText(row.opens), rateText(row.ratePerSecond),
                       utcText(row.createdAtMs), row.createdBy, utcText(row.lastUsedAtMs),
                       utcText(row.oldSecretUntilMs)});
    }
    if (!json && !rows.isEmpty())
        table.print();
    if (!place.settings.intakeTokenSecret.isEmpty())
        printNotice(
            u"the secret %1, named by intake_token, is accepted too"_s.arg(place.settings.intakeTokenSecret));
    if (!place.settings.ingestTokenSecret.isEmpty())
        printNotice(u"the secret %1, named by ingest_token, opens /ingest too"_s.arg(
            place.settings.ingestTokenSecret));
    for (const TokenRow& row : rows)
        if (row.isKept)
            printNotice(
                u"the secret of %1 stands in %2 until it is rotated; `redrive tokens show %1` prints it"_s
                    .arg(row.name, keptTokenFile(place.dataFolder)));
    return {};
}

Status change(const Place& place, const TokenChange& asked, bool json)
{
    QStringList notices;
    REDRIVE_ASSIGN(db, openForWork(place, notices));
    for (const QString& notice : std::as_const(notices))
        printNotice(notice);
    TokenChanged changed;
    REDRIVE_TRY(runLoneTurn(*db, SystemClock(), [&](Cycle& cycle) -> Status {
        REDRIVE_ASSIGN(done, changeToken(cycle, asked, keptTokenFile(place.dataFolder)));
        changed = std::move(done);
        return {};
    }));
    if (json) {
        JsonLine()
            .add("name", changed.name)
            .addTextOrNull("token", changed.secret)
            .add("oldSecretUntil", changed.oldSecretUntilMs)
            .print();
        return {};
    }
    if (changed.secret.isEmpty()) {
        printLine(u"revoked %1"_s.arg(changed.name));
        return {};
    }
    printLine(changed.secret);
    if (asked.verb != TokenVerb::Show)
        printNotice(u"this is shown once: only its hash is kept"_s);
    if (changed.oldSecretUntilMs)
        printNotice(u"the older one is accepted until "_s + utcText(changed.oldSecretUntilMs));
    return {};
}

TokenChange changeOf(TokenVerb verb, const Invocation& invocation)
{
    TokenChange change;
    change.verb = verb;
    change.name = invocation.names.at(1);
    change.ratePerSecond = invocation.ratePerSecond;
    change.opens = invocation.forIngest ? TokenScope::Ingest : TokenScope::Everything;
    change.overlapMs = invocation.overlapSeconds ? *invocation.overlapSeconds * 1000 : kDefaultOverlapMs;
    change.actor = operatorName();
    change.source = u"command line"_s;
    return change;
}

} // namespace

int runTokens(const Invocation& invocation)
{
    const QString what = invocation.names.value(0, u"list"_s);
    const bool lists = what == u"list";
    std::optional<TokenVerb> verb;
    if (what == u"create")
        verb = TokenVerb::Create;
    else if (what == u"show")
        verb = TokenVerb::Show;
    else if (what == u"rotate")
        verb = TokenVerb::Rotate;
    else if (what == u"revoke")
        verb = TokenVerb::Revoke;
    const bool understood = lists ? invocation.names.size() <= 1 : verb && invocation.names.size() == 2;
    if (!understood) {
        printError(u"tokens takes list, create NAME, show NAME, rotate NAME or revoke NAME"_s);
        return exit_code::kUsage;
    }
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    const Status done =
        lists ? list(*place, invocation.json) : change(*place, changeOf(*verb, invocation), invocation.json);
    return done ? exit_code::kDone : failed(done.error());
}

} // namespace redrive
