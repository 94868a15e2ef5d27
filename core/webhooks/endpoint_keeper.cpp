#include "core/webhooks/endpoint_keeper.h"

#include "core/base/log.h"
#include "core/store/endpoint_store.h"
#include "core/webhooks/endpoint_changes.h"
#include "core/webhooks/endpoint_reader.h"

#include <utility>

namespace redrive {

Status EndpointKeeper::begin(Cycle& cycle, const std::optional<QList<EndpointSettings>>& configured)
{
    if (configured)
        REDRIVE_TRY(registerConfigured(cycle, *configured));
    return read(cycle);
}

void EndpointKeeper::submit(EndpointChange change, Inbox::Answer answer)
{
    if (change.verb == EndpointVerb::Rotate && change.secretName.isEmpty()) {
        const auto made = makeEndpointSecret(change.id, m_parts.keepSecret);
        if (!made) {
            answer(fail(made.error()));
            return;
        }
        change.secretName = made->name;
        answer = [made = *made, forget = m_parts.forgetSecret,
                  answer = std::move(answer)](Result<EndpointChanged> changed) {
            if (!changed && forget)
                forget(made.name);
            if (changed) {
                changed->secretName = made.name;
                changed->secret = QString::fromLatin1(made.value);
            }
            answer(std::move(changed));
        };
    }
    m_inbox.submit(std::move(change), std::move(answer));
}

bool EndpointKeeper::hasWork(qint64, qint64) const
{
    return m_look || !m_inbox.isEmpty();
}

std::optional<qint64> EndpointKeeper::nextDeadline() const
{
    return hasWork(0, 0) ? std::optional<qint64>(0) : std::nullopt;
}

// What the engine itself changes (a pause, an endpoint that is gone) the lanes know already.
Status EndpointKeeper::apply(Cycle& cycle)
{
    const bool changes = !m_inbox.isEmpty();
    REDRIVE_TRY(m_inbox.apply(
        cycle, [this](Cycle& turn, const EndpointChange& change) { return applyOne(turn, change); }));
    return m_look || changes ? read(cycle) : Status();
}

Result<EndpointChanged> EndpointKeeper::applyOne(Cycle& cycle, const EndpointChange& change)
{
    if (change.verb == EndpointVerb::Delete && !change.keepOpen)
        REDRIVE_TRY(m_parts.cancelOpen(cycle, change));
    return changeEndpoint(cycle, change);
}

Status EndpointKeeper::read(Cycle& cycle)
{
    REDRIVE_ASSIGN(revision, endpoint_store::revision(cycle.db));
    if (revision == m_revision) {
        cycle.afterCommit.push_back([this] { m_look = false; });
        return {};
    }
    REDRIVE_ASSIGN(stored, endpoint_store::registered(cycle.db));
    QList<RegisteredEndpoint> endpoints;
    for (const StoredEndpoint& endpoint : std::as_const(stored)) {
        auto settings =
            readEndpoint(JsonSlice(endpoint.settings), u"endpoint"_s, m_parts.registry.defaults());
        if (settings)
            endpoints.append({*std::move(settings), endpoint.version});
        else
            logEvent(LogLevel::Error, "endpoint_unreadable",
                     {{"endpoint", endpoint.id}, {"error", settings.error().message}});
    }
    cycle.endpointsChanged = true;
    cycle.afterCommit.insert(cycle.afterCommit.begin(), [this, endpoints, revision] {
        m_parts.registry.replace(endpoints);
        m_parts.changed();
        m_revision = revision;
        m_look = false;
    });
    return {};
}

void EndpointKeeper::storeRefuses(const std::optional<Error>& why)
{
    if (why)
        m_inbox.refuse(*why);
}

} // namespace redrive
