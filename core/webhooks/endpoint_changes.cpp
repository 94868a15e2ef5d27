#include "core/webhooks/endpoint_changes.h"

#include "core/base/json_gate.h"
#include "core/base/json_text.h"
#include "core/store/alert_store.h"
#include "core/store/audit_store.h"
#include "core/store/endpoint_state_store.h"
#include "core/store/endpoint_store.h"
#include "core/webhooks/endpoint_reader.h"
#include "core/webhooks/endpoint_writer.h"

namespace redrive {

namespace {

constexpr qint64 kLongestOverlapOfSecretsMs = 30 * 86'400'000LL;

Result<EndpointSettings> settingsOf(const QByteArray& json)
{
    return readEndpoint(JsonSlice(json), u"endpoint"_s);
}

Result<StoredEndpoint> existing(Cycle& cycle, const QString& id)
{
    REDRIVE_ASSIGN(found, endpoint_store::find(cycle.db, id));
    if (!found || found->deleted)
        return fail(ErrorKind::NotFound, u"there is no endpoint '%1'"_s.arg(id), {}, u"id"_s);
    return *std::move(found);
}

// What may be given other settings here.
Result<StoredEndpoint> editable(Cycle& cycle, const EndpointChange& change)
{
    REDRIVE_ASSIGN(stored, existing(cycle, change.id));
    if (stored.origin == EndpointOrigin::Configuration)
        return fail(ErrorKind::Refused,
                    u"'%1' stands in the configuration: change it there and start again"_s.arg(change.id), {},
                    u"id"_s);
    if (stored.version == 0)
        return fail(ErrorKind::Refused,
                    u"'%1' is known from payloads only: register it to give it settings"_s.arg(change.id), {},
                    u"id"_s);
    if (change.baseVersion && *change.baseVersion != stored.version)
        return fail(ErrorKind::Conflict,
                    u"'%1' was changed meanwhile: it is at version %2, not %3"_s.arg(change.id)
                        .arg(stored.version)
                        .arg(*change.baseVersion),
                    {}, u"version"_s);
    return stored;
}

// What a null takes away is as if it had never been given.
void takeAwayNulls(const JsonSlice& object, EndpointSettings& settings)
{
    const EndpointSettings none;
    for (JsonMembers members(object); members.next();) {
        if (members.value().type() != JsonType::Null)
            continue;
        if (members.keyIs("events"))
            settings.events = none.events;
        else if (members.keyIs("secret"))
            settings.secrets = none.secrets;
        else if (members.keyIs("headers"))
            settings.headers = none.headers;
        else if (members.keyIs("max_in_flight"))
            settings.maxInFlight = none.maxInFlight;
        else if (members.keyIs("rate"))
            settings.ratePerSecond = none.ratePerSecond;
        else if (members.keyIs("schedule"))
            settings.scheduleMs = none.scheduleMs;
    }
}

// Its members that are not null.
QByteArray withoutNulls(const JsonSlice& object)
{
    QByteArray text("{");
    for (JsonMembers members(object); members.next();) {
        if (members.value().type() == JsonType::Null)
            continue;
        text.append(text.size() > 1 ? "," : "");
        appendJsonString(text, QByteArrayView(members.key()));
        text.append(':').append(members.value().text());
    }
    return text.append('}');
}

// What the change does not say stays as in `base`.
Result<EndpointSettings> askedSettings(const EndpointChange& change, EndpointSettings base = {})
{
    if (const auto fault = checkJson(change.settings))
        return fail(ErrorKind::InvalidInput, u"endpoint: "_s + fault->text(), {}, u"endpoint"_s);
    const JsonSlice asked(change.settings);
    if (!asked.isObject())
        return fail(ErrorKind::InvalidInput, u"endpoint must be an object"_s, {}, u"endpoint"_s);
    takeAwayNulls(asked, base);
    const QByteArray given = withoutNulls(asked);
    const QMap<QString, QString> known = base.headers;
    REDRIVE_ASSIGN(settings, readEndpoint(JsonSlice(given), u"endpoint"_s, std::move(base)));
    for (auto header = settings.headers.begin(); header != settings.headers.end(); ++header) {
        if (*header == kMasked && known.contains(header.key()))
            *header = known.value(header.key());
    }
    for (const QString& name : settings.secretUntilMs.keys()) {
        if (!settings.secrets.contains(name))
            settings.secretUntilMs.remove(name);
    }
    if (settings.id != change.id)
        return fail(ErrorKind::InvalidInput, u"endpoint.id: the id of an endpoint never changes"_s, {},
                    u"endpoint.id"_s);
    if (settings.url.isEmpty())
        return fail(ErrorKind::InvalidInput, u"endpoint.url: is missing"_s, {}, u"endpoint.url"_s);
    return settings;
}

Result<int> addVersion(Cycle& cycle, const EndpointChange& change, const EndpointSettings& settings)
{
    return endpoint_store::addVersion(cycle, change.id, EndpointOrigin::Made, settings.url,
                                      writeEndpoint(settings), change.actor);
}

// One that was deleted takes deliveries again when it is registered anew.
Status liftDeletion(Cycle& cycle, const QString& id, const QString& by)
{
    return endpoint_state_store::enable(cycle, id, by);
}

Result<int> create(Cycle& cycle, const EndpointChange& change)
{
    REDRIVE_ASSIGN(settings, askedSettings(change));
    REDRIVE_ASSIGN(found, endpoint_store::find(cycle.db, change.id));
    if (found && !found->deleted && found->version > 0)
        return fail(ErrorKind::Conflict, u"there is an endpoint '%1' already"_s.arg(change.id), {},
                    u"endpoint.id"_s);
    if (found && found->deleted)
        REDRIVE_TRY(liftDeletion(cycle, change.id, change.actor));
    return addVersion(cycle, change, settings);
}

Result<int> edit(Cycle& cycle, const EndpointChange& change)
{
    REDRIVE_ASSIGN(stored, editable(cycle, change));
    REDRIVE_ASSIGN(base, settingsOf(stored.settings));
    REDRIVE_ASSIGN(settings, askedSettings(change, base));
    if (writeEndpoint(settings) == stored.settings)
        return stored.version;
    return addVersion(cycle, change, settings);
}

// Older secrets sign until the end of the overlap, those that end earlier as long as they had.
Result<int> rotate(Cycle& cycle, const EndpointChange& change)
{
    REDRIVE_ASSIGN(stored, editable(cycle, change));
    REDRIVE_ASSIGN(settings, settingsOf(stored.settings));
    if (change.overlapMs < 0 || change.overlapMs > kLongestOverlapOfSecretsMs)
        return fail(ErrorKind::InvalidInput, u"the overlap must be from 0 to 2592000 seconds"_s, {},
                    u"overlap"_s);
    if (change.secretName.isEmpty() || settings.secrets.contains(change.secretName))
        return fail(ErrorKind::InvalidInput,
                    u"a rotation takes the name of a secret that does not sign yet"_s, {}, u"secret"_s);
    QStringList secrets{change.secretName};
    QMap<QString, qint64> until;
    for (const QString& name : std::as_const(settings.secrets)) {
        const qint64 endMs = std::min(settings.secretUntilMs.value(name, cycle.nowMs + change.overlapMs),
                                      cycle.nowMs + change.overlapMs);
        if (endMs <= cycle.nowMs)
            continue;
        secrets.append(name);
        until.insert(name, endMs);
    }
    settings.secrets = secrets;
    settings.secretUntilMs = until;
    return addVersion(cycle, change, settings);
}

Result<int> revokeSecret(Cycle& cycle, const EndpointChange& change)
{
    REDRIVE_ASSIGN(stored, editable(cycle, change));
    REDRIVE_ASSIGN(settings, settingsOf(stored.settings));
    if (!settings.secrets.removeOne(change.secretName))
        return fail(ErrorKind::NotFound,
                    u"'%1' is not signed with a secret '%2'"_s.arg(change.id, change.secretName), {},
                    u"secret"_s);
    if (settings.secrets.isEmpty())
        return fail(
            ErrorKind::Refused,
            u"'%1' is the only secret: rotate to a new one, or edit the endpoint to send unsigned"_s.arg(
                change.secretName),
            {}, u"secret"_s);
    settings.secretUntilMs.remove(change.secretName);
    // What is left must go on signing, whatever end it had been given.
    if (settings.secretUntilMs.size() == settings.secrets.size())
        settings.secretUntilMs.remove(settings.secrets.first());
    return addVersion(cycle, change, settings);
}

Result<int> removeIt(Cycle& cycle, const EndpointChange& change)
{
    REDRIVE_ASSIGN(stored, existing(cycle, change.id));
    if (stored.origin == EndpointOrigin::Configuration)
        return fail(ErrorKind::Refused,
                    u"'%1' stands in the configuration: take it out there and start again"_s.arg(change.id),
                    {}, u"id"_s);
    REDRIVE_TRY(endpoint_state_store::disable(cycle, change.id, DisabledCause::Deleted, change.actor));
    REDRIVE_TRY(endpoint_store::markDeleted(cycle, change.id));
    return stored.version;
}

// What an operator paused, and what its own settings pause, which makes a version without.
Result<int> resume(Cycle& cycle, const EndpointChange& change, const StoredEndpoint& stored)
{
    REDRIVE_TRY(endpoint_state_store::resume(cycle, change.id, change.actor));
    if (stored.version == 0)
        return stored.version;
    REDRIVE_ASSIGN(settings, settingsOf(stored.settings));
    if (!settings.paused)
        return stored.version;
    REDRIVE_TRY(editable(cycle, change));
    settings.paused = false;
    return addVersion(cycle, change, settings);
}

Result<int> changeState(Cycle& cycle, const EndpointChange& change)
{
    REDRIVE_ASSIGN(stored, existing(cycle, change.id));
    switch (change.verb) {
    case EndpointVerb::Pause:
        REDRIVE_TRY(endpoint_state_store::pause(cycle, change.id, change.actor));
        break;
    case EndpointVerb::Resume:
        return resume(cycle, change, stored);
    case EndpointVerb::Disable:
        REDRIVE_TRY(endpoint_state_store::disable(cycle, change.id, DisabledCause::Operator, change.actor));
        REDRIVE_TRY(alert_store::note(cycle, AlertKind::EndpointDisabled, change.id,
                                      u"by %1; its deliveries are held"_s.arg(change.actor)));
        break;
    default:
        REDRIVE_TRY(endpoint_state_store::enable(cycle, change.id, change.actor));
    }
    return stored.version;
}

Result<int> apply(Cycle& cycle, const EndpointChange& change)
{
    switch (change.verb) {
    case EndpointVerb::Create:
        return create(cycle, change);
    case EndpointVerb::Edit:
        return edit(cycle, change);
    case EndpointVerb::Rotate:
        return rotate(cycle, change);
    case EndpointVerb::RevokeSecret:
        return revokeSecret(cycle, change);
    case EndpointVerb::Delete:
        return removeIt(cycle, change);
    case EndpointVerb::Pause:
    case EndpointVerb::Resume:
    case EndpointVerb::Disable:
    case EndpointVerb::Enable:
        return changeState(cycle, change);
    }
    return fail(ErrorKind::Internal, u"an endpoint cannot be changed like this"_s);
}

} // namespace

Result<EndpointChanged> changeEndpoint(Cycle& cycle, const EndpointChange& change)
{
    REDRIVE_ASSIGN(version, apply(cycle, change));
    AuditEntry entry;
    entry.actor = change.actor;
    entry.source = change.source;
    entry.verb = toText(change.verb) +
                 (change.verb == EndpointVerb::RevokeSecret || change.verb == EndpointVerb::Rotate
                      ? u" secret of endpoint"_s
                      : u" endpoint"_s);
    entry.target = change.id;
    entry.count = 1;
    entry.reason = change.reason;
    entry.result = u"ok"_s;
    REDRIVE_TRY(audit_store::add(cycle, entry));
    cycle.changes.operations = true;
    cycle.lookAtDeliveries = true;
    return EndpointChanged{change.id, version, {}, {}};
}

Status registerConfigured(Cycle& cycle, const QList<EndpointSettings>& endpoints)
{
    const QString by = u"configuration"_s;
    QStringList named;
    for (const EndpointSettings& endpoint : endpoints) {
        named.append(endpoint.id);
        const QByteArray settings = writeEndpoint(endpoint);
        REDRIVE_ASSIGN(found, endpoint_store::find(cycle.db, endpoint.id));
        if (found && !found->deleted && found->origin == EndpointOrigin::Configuration &&
            found->settings == settings)
            continue;
        if (found && found->deleted)
            REDRIVE_TRY(liftDeletion(cycle, endpoint.id, by));
        REDRIVE_TRY(endpoint_store::addVersion(cycle, endpoint.id, EndpointOrigin::Configuration,
                                               endpoint.url, settings, by));
    }
    REDRIVE_ASSIGN(registered, endpoint_store::registered(cycle.db));
    for (const StoredEndpoint& endpoint : std::as_const(registered)) {
        if (endpoint.origin != EndpointOrigin::Configuration || named.contains(endpoint.id))
            continue;
        REDRIVE_TRY(endpoint_state_store::disable(cycle, endpoint.id, DisabledCause::Deleted, by));
        REDRIVE_TRY(endpoint_store::markDeleted(cycle, endpoint.id));
    }
    return {};
}

} // namespace redrive
