#include "core/webhooks/endpoint_keeper.h"

#include "core/base/log.h"
#include "core/store/endpoint_store.h"
#include "core/store/lone_change.h"
#include "core/webhooks/endpoint_changes.h"
#include "core/webhooks/endpoint_reader.h"

#include <iterator>
#include <utility>

namespace redrive {

Status EndpointKeeper::begin(Cycle& cycle, const std::optional<QList<EndpointSettings>>& configured)
{
    if (configured)
        REDRIVE_TRY(registerConfigured(cycle, *configured));
    return read(cycle);
}

void EndpointKeeper::submit(EndpointChange change, Answer answer)
{
    QString secret;
    if (change.verb == EndpointVerb::Rotate && change.secretName.isEmpty()) {
        const auto made = makeEndpointSecret(change.id, m_parts.keepSecret);
        if (!made) {
            answer(fail(made.error()));
            return;
        }
        change.secretName = made->name;
        secret = QString::fromLatin1(made->value);
    }
    m_incoming.push_back({std::move(change), std::move(answer), secret});
}

void EndpointKeeper::refuseWaiting()
{
    answerIncoming({ErrorKind::Refused, u"the engine is stopping"_s, u"stopping"_s, {}});
}

bool EndpointKeeper::hasWork(qint64, qint64) const
{
    return m_look || !m_incoming.empty();
}

std::optional<qint64> EndpointKeeper::nextDeadline() const
{
    return hasWork(0, 0) ? std::optional<qint64>(0) : std::nullopt;
}

Status EndpointKeeper::apply(Cycle& cycle)
{
    if (!m_incoming.empty())
        REDRIVE_TRY(applyIncoming(cycle));
    return read(cycle);
}

Status EndpointKeeper::applyIncoming(Cycle& cycle)
{
    m_writing.swap(m_incoming);
    auto results = std::make_shared<std::vector<Result<EndpointChanged>>>();
    for (const Request& request : m_writing) {
        auto changed = changeAlone(cycle, [&] { return applyOne(cycle, request.change); });
        if (!changed && concernsTheStore(changed.error()))
            return fail(changed.error());
        if (changed && !request.madeSecret.isEmpty()) {
            changed->secretName = request.change.secretName;
            changed->secret = request.madeSecret;
        }
        results->push_back(std::move(changed));
    }
    cycle.afterCommit.push_back([this, results] {
        const auto answered = std::exchange(m_writing, {});
        for (std::size_t i = 0; i < results->size(); ++i)
            answered[i].answer(std::move((*results)[i]));
    });
    return {};
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
    cycle.afterCommit.insert(cycle.afterCommit.begin(), [this, endpoints, revision] {
        m_parts.registry.replace(endpoints);
        m_parts.changed();
        m_revision = revision;
        m_look = false;
    });
    return {};
}

// After an error of another part's row the next turn does the same again.
void EndpointKeeper::rolledBack(const Error& error)
{
    m_incoming.insert(m_incoming.begin(), std::make_move_iterator(m_writing.begin()),
                      std::make_move_iterator(m_writing.end()));
    m_writing.clear();
    if (concernsTheStore(error))
        answerIncoming(error);
}

void EndpointKeeper::storeRefuses(const std::optional<Error>& why)
{
    if (why)
        answerIncoming(*why);
}

void EndpointKeeper::answerIncoming(const Error& error)
{
    for (const Request& request : std::exchange(m_incoming, {}))
        request.answer(fail(error));
}

} // namespace redrive
