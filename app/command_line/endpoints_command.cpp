#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/payload_input.h"
#include "app/kept_secrets.h"
#include "app/operator_name.h"
#include "app/place.h"
#include "app/redrive_runner.h"
#include "core/base/json_gate.h"
#include "core/base/json_text.h"
#include "core/domain/endpoint_status.h"
#include "core/engine/endpoint_actions.h"
#include "core/engine/engine_facts.h"
#include "core/engine/lone_turn.h"
#include "core/intake/token_changes.h"
#include "core/store/endpoint_read_store.h"
#include "core/webhooks/endpoint_changes.h"
#include "core/webhooks/endpoint_reader.h"
#include "core/webhooks/endpoint_secret.h"
#include "core/webhooks/endpoint_test.h"
#include "core/webhooks/endpoint_writer.h"

#include <future>

namespace redrive {

namespace {

QString percent(const EndpointFigures& figures)
{
    const auto rate = figures.successRate();
    return rate ? QString::number(*rate * 100, 'f', 1) + u'%' : u"-"_s;
}

QString withinText(const EndpointFigures& figures, double part)
{
    const auto ms = figures.withinMs(part);
    return ms ? u"≤%1 ms"_s.arg(*ms) : u"-"_s;
}

void printJson(const EndpointRow& row)
{
    JsonLine line;
    line.add("id", row.id).add("state", toText(statusOf(row))).add("origin", toText(row.origin));
    line.add("version", row.version)
        .add("url", row.url)
        .addTextOrNull("settings", QString::fromUtf8(maskedEndpoint(row.settings)));
    line.add("createdAt", row.createdAtMs)
        .add("updatedAt", row.updatedAtMs)
        .add("deletedAt", row.deletedAtMs);
    line.add("disabledAt", row.disabledAtMs);
    line.addTextOrNull("disabledCause", row.disabledAtMs ? toText(row.disabledCause) : QString());
    line.add("pausedAt", row.pausedAtMs).add("pausedUntil", row.pausedUntilMs);
    line.add("breakerOpenedAt", row.breakerOpenedAtMs).add("breakerUntil", row.breakerUntilMs);
    line.addTextOrNull("changedBy", row.changedBy).add("certificateEndsAt", row.certificateEndsAtMs);
    line.add("waiting", row.waiting).add("held", row.held).add("dead", row.dead);
    line.add("attemptsLastDay", row.lastDay.attempts).add("deliveredLastDay", row.lastDay.delivered);
    line.add("within50Ms", row.lastDay.withinMs(0.5)).add("within95Ms", row.lastDay.withinMs(0.95));
    line.add("within99Ms", row.lastDay.withinMs(0.99));
    line.print();
}

bool isRegistered(const EndpointRow& row)
{
    return row.version > 0 && !row.deletedAtMs;
}

// As an engine is going to register it; what waits for it already stays counted.
EndpointRow asConfigured(EndpointRow row, const EndpointSettings& endpoint)
{
    row.id = endpoint.id;
    row.version = 0;
    row.deletedAtMs.reset();
    row.origin = EndpointOrigin::Configuration;
    row.url = endpoint.url;
    row.settings = writeEndpoint(endpoint);
    return row;
}

// What the configuration names and no engine has registered yet.
void addConfigured(QList<EndpointRow>& rows, const Settings& settings)
{
    for (const EndpointSettings& endpoint : settings.endpoints) {
        const auto found = std::find_if(rows.begin(), rows.end(),
                                        [&](const EndpointRow& row) { return row.id == endpoint.id; });
        if (found == rows.end())
            rows.append(asConfigured({}, endpoint));
        else if (!isRegistered(*found))
            *found = asConfigured(*found, endpoint);
    }
    std::sort(rows.begin(), rows.end(),
              [](const EndpointRow& left, const EndpointRow& right) { return left.id < right.id; });
}

Result<EndpointDetail> detailOf(Connection& db, const Settings& settings, const QString& id)
{
    auto detail = endpoint_read_store::detail(db, id, SystemClock().wallMs());
    const auto configured = std::find_if(settings.endpoints.begin(), settings.endpoints.end(),
                                         [&](const EndpointSettings& endpoint) { return endpoint.id == id; });
    if (configured == settings.endpoints.end())
        return detail;
    if (!detail && detail.error().kind == ErrorKind::NotFound)
        detail = EndpointDetail();
    if (detail && !isRegistered(detail->endpoint))
        detail->endpoint = asConfigured(detail->endpoint, *configured);
    return detail;
}

Status list(const Place& place, bool json)
{
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    REDRIVE_ASSIGN(rows, endpoint_read_store::list(*db, SystemClock().wallMs()));
    addConfigured(rows, place.settings);
    TextTable table({u"ENDPOINT"_s, u"STATE"_s, u"ORIGIN"_s, u"VERSION"_s, u"DELIVERED"_s, u"P50"_s, u"P95"_s,
                     u"WAITING"_s, u"HELD"_s, u"DEAD"_s, u"URL"_s});
    for (const EndpointRow& row : std::as_const(rows)) {
        if (json)
            printJson(row);
        else
            table.add({row.id, toText(statusOf(row)), toText(row.origin),
                       row.version > 0 ? QString::number(row.version) : u"-"_s, percent(row.lastDay),
                       withinText(row.lastDay, 0.5), withinText(row.lastDay, 0.95),
                       QString::number(row.waiting), QString::number(row.held), QString::number(row.dead),
                       row.url});
    }
    if (!json && !rows.isEmpty())
        table.print();
    return {};
}

Status show(const Place& place, const QString& id, bool json)
{
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    REDRIVE_ASSIGN(detail, detailOf(*db, place.settings, id));
    if (json) {
        printJson(detail.endpoint);
        return {};
    }
    const EndpointRow& row = detail.endpoint;
    printLine(u"%1 %2, %3"_s.arg(row.id, toText(statusOf(row)), row.url));
    printLine(u"last day: %1 attempts, %2 delivered, half within %3, 95 of 100 within %4, 99 within %5"_s.arg(
        QString::number(row.lastDay.attempts), percent(row.lastDay), withinText(row.lastDay, 0.5),
        withinText(row.lastDay, 0.95), withinText(row.lastDay, 0.99)));
    if (row.breakerOpenedAtMs && row.breakerUntilMs)
        printLine(u"breaker open since %1, probes %2"_s.arg(utcText(row.breakerOpenedAtMs),
                                                            utcText(row.breakerUntilMs)));
    printLine(u"%1 waiting, %2 held, %3 dead"_s.arg(row.waiting).arg(row.held).arg(row.dead));
    if (row.certificateEndsAtMs)
        printLine(u"certificate ends "_s + utcText(row.certificateEndsAtMs));
    for (const EndpointVersion& version : std::as_const(detail.versions))
        printLine(u"version %1, %2, by %3: %4"_s.arg(version.version)
                      .arg(utcText(version.madeAtMs), version.madeBy,
                           QString::fromUtf8(maskedEndpoint(version.settings))));
    return {};
}

// {"id":…} with the URL and settings that were given.
Result<QByteArray> settingsOf(const Invocation& invocation)
{
    QByteArray text("{\"id\":");
    appendJsonString(text, invocation.names.at(1));
    if (!invocation.url.isEmpty()) {
        text.append(",\"url\":");
        appendJsonString(text, invocation.url);
    }
    if (invocation.settings) {
        REDRIVE_ASSIGN(given, payloadInput(*invocation.settings));
        if (const auto fault = checkJson(given))
            return fail(ErrorKind::InvalidInput, u"--settings: "_s + fault->text());
        const JsonSlice object(given);
        if (!object.isObject())
            return fail(ErrorKind::InvalidInput, u"--settings takes a JSON object"_s);
        for (JsonMembers members(object); members.next();) {
            if (members.keyIs("id") || (members.keyIs("url") && !invocation.url.isEmpty()))
                continue;
            text.append(',');
            appendJsonString(text, QByteArrayView(members.key()));
            text.append(':').append(members.value().text());
        }
    }
    return text.append('}');
}

Result<EndpointChange> changeOf(EndpointVerb verb, const Invocation& invocation)
{
    EndpointChange change;
    change.verb = verb;
    change.id = invocation.names.at(1);
    if (verb == EndpointVerb::Create || verb == EndpointVerb::Edit) {
        REDRIVE_ASSIGN(settings, settingsOf(invocation));
        change.settings = settings;
    }
    change.secretName = invocation.secretNames.value(0);
    change.overlapMs = invocation.overlapSeconds ? *invocation.overlapSeconds * 1000 : kDefaultOverlapMs;
    change.keepOpen = invocation.keep;
    change.actor = operatorName();
    change.source = u"command line"_s;
    change.reason = invocation.reason;
    return change;
}

Status change(const Place& place, const Invocation& invocation, EndpointVerb verb)
{
    REDRIVE_ASSIGN(asked, changeOf(verb, invocation));
    QStringList notices;
    REDRIVE_ASSIGN(db, openForWork(place, notices));
    for (const QString& notice : std::as_const(notices))
        printNotice(notice);
    EndpointChanged changed;
    const auto store = secretStoreIn(place.dataFolder);
    if (verb == EndpointVerb::Rotate && asked.secretName.isEmpty()) {
        REDRIVE_ASSIGN(made,
                       makeEndpointSecret(asked.id, [&store](const QString& name, const QByteArray& value) {
                           return store->put(name, value);
                       }));
        changed.secretName = asked.secretName = made.name;
        changed.secret = QString::fromLatin1(made.value);
    }
    const CommandGate gate(place.settings.queueNames());
    const Status turned = runLoneTurn(*db, SystemClock(), [&](Cycle& cycle) -> Status {
        if (verb == EndpointVerb::Delete && !asked.keepOpen)
            REDRIVE_TRY(cancelOpenDeliveries(cycle, gate, asked));
        REDRIVE_ASSIGN(done, changeEndpoint(cycle, asked));
        changed.id = done.id;
        changed.version = done.version;
        return {};
    });
    if (!turned && !changed.secret.isEmpty()) // nobody has seen it, and nothing signs with it
        (void)store->remove(changed.secretName);
    REDRIVE_TRY(turned);
    if (verb == EndpointVerb::Delete)
        REDRIVE_TRY(RedriveRunner(*db, place.settings, invocation.profile.engine).executeOpen());
    if (invocation.json)
        JsonLine()
            .add("id", changed.id)
            .add("version", changed.version)
            .addTextOrNull("secretName", changed.secretName)
            .addTextOrNull("secret", changed.secret)
            .print();
    else if (changed.secret.isEmpty())
        printLine(u"%1: %2, version %3"_s.arg(toText(verb), changed.id).arg(changed.version));
    else
        printLine(changed.secret);
    if (!changed.secret.isEmpty())
        printNotice(
            u"kept as %1; give it to whoever verifies what %2 gets"_s.arg(changed.secretName, changed.id));
    return {};
}

Result<std::shared_ptr<const Endpoint>> readyToSend(const Place& place, const QString& id)
{
    EndpointRegistry registry(place.settings);
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    REDRIVE_ASSIGN(detail, detailOf(*db, place.settings, id));
    if (isRegistered(detail.endpoint)) {
        REDRIVE_ASSIGN(settings, readEndpoint(JsonSlice(detail.endpoint.settings), u"endpoint"_s));
        registry.replace({{settings, detail.endpoint.version}});
    }
    return registry.find(id);
}

Status test(const Place& place, const QString& id, bool json)
{
    REDRIVE_ASSIGN(endpoint, readyToSend(place, id));
    HttpSenderOptions options;
    REDRIVE_ASSIGN(guard,
                   TargetGuard::make(place.settings.allowPrivateTargets, staysOnLoopback(place.settings)));
    options.guard = std::move(guard);
    HttpSender sender(std::move(options));
    sender.start();
    std::promise<Result<DeliveryAttempt>> answered;
    sendTest(endpoint, id, SystemClock(), sender,
             [&answered](Result<DeliveryAttempt> result) { answered.set_value(std::move(result)); });
    REDRIVE_ASSIGN(attempt, answered.get_future().get());
    const bool delivered = attempt.outcome == u"delivered";
    const QString status = attempt.statusCode ? QString::number(*attempt.statusCode) : attempt.errorCode;
    if (json)
        JsonLine()
            .add("id", id)
            .add("delivered", delivered)
            .add("status", std::optional<qint64>(attempt.statusCode))
            .addTextOrNull("error", attempt.error)
            .addTextOrNull("peer", attempt.peer)
            .add("totalUs", attempt.totalUs)
            .print();
    else if (delivered)
        printLine(
            u"delivered: %1 after %2 ms from %3"_s.arg(status).arg(attempt.totalUs / 1000).arg(attempt.peer));
    if (delivered)
        return {};
    return fail(ErrorKind::Refused, u"'%1' did not take the test: %2"_s.arg(id, attempt.error));
}

std::optional<EndpointVerb> verbOf(const QString& word)
{
    if (word == u"add")
        return EndpointVerb::Create;
    for (const EndpointVerb verb :
         {EndpointVerb::Edit, EndpointVerb::Pause, EndpointVerb::Resume, EndpointVerb::Disable,
          EndpointVerb::Enable, EndpointVerb::Delete, EndpointVerb::Rotate, EndpointVerb::RevokeSecret}) {
        if (toText(verb) == word)
            return verb;
    }
    return std::nullopt;
}

Status run(const Place& place, const Invocation& invocation, const QString& what)
{
    if (what == u"list")
        return list(place, invocation.json);
    if (what == u"show")
        return show(place, invocation.names.at(1), invocation.json);
    if (what == u"test")
        return test(place, invocation.names.at(1), invocation.json);
    REDRIVE_TRY(mayChange(invocation));
    return change(place, invocation, *verbOf(what));
}

} // namespace

int runEndpoints(const Invocation& invocation)
{
    const QString what = invocation.names.value(0, u"list"_s);
    const bool known = what == u"show" || what == u"test" || verbOf(what);
    const bool understood =
        what == u"list" ? invocation.names.size() <= 1 : known && invocation.names.size() == 2;
    if (!understood) {
        printError(
            u"endpoints takes list, or show, add, edit, pause, resume, disable, enable, delete, rotate, "
            "revoke or test with the ID of an endpoint"_s);
        return exit_code::kUsage;
    }
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    const Status done = run(*place, invocation, what);
    return done ? exit_code::kDone : failed(done.error());
}

} // namespace redrive
