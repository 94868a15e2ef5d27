// Keeps the registry of endpoints as the store has it: the configuration's at the start, changes asked for
// here, and changes of other processes. Control thread.
#pragma once

#include "core/domain/endpoint.h"
#include "core/store/cycle.h"
#include "core/webhooks/endpoint_registry.h"
#include "core/webhooks/endpoint_secret.h"

namespace redrive {

struct EndpointKeeperParts
{
    EndpointRegistry& registry;    // outlives the keeper
    std::function<void()> changed; // after the commit; states may have changed too
    // Inside the turn: cancels the open deliveries of an endpoint.
    std::function<Status(Cycle&, const EndpointChange&)> cancelOpen;
    SecretKeeper keepSecret = {}; // nothing: no secret is made here
};

class EndpointKeeper final : public CyclePart
{
public:
    using Answer = std::function<void(Result<EndpointChanged>)>;

    explicit EndpointKeeper(EndpointKeeperParts parts) : m_parts(std::move(parts)) {}

    // Within the first turn. `configured`: written into the store first; nothing: this process only reads.
    Status begin(Cycle& cycle, const std::optional<QList<EndpointSettings>>& configured);
    // In the next turn; answers after its commit.
    void submit(EndpointChange change, Answer answer);
    // Another process may have changed endpoints.
    void lookAtStore() { m_look = true; }
    // Answers what still waits: no turn follows any more.
    void refuseWaiting();
    bool hasIncoming() const { return !m_incoming.empty(); }

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void storeRefuses(const std::optional<Error>& why) override;
    void rolledBack(const Error& error) override;
    std::optional<qint64> nextDeadline() const override;

private:
    struct Request
    {
        EndpointChange change;
        Answer answer;
        QString madeSecret; // in it
    };

    Status applyIncoming(Cycle& cycle);
    Result<EndpointChanged> applyOne(Cycle& cycle, const EndpointChange& change);
    Status read(Cycle& cycle);
    void answerIncoming(const Error& error);

    EndpointKeeperParts m_parts;
    std::vector<Request> m_incoming;
    std::vector<Request> m_writing; // of a turn whose commit is not known yet
    qint64 m_revision = 0;          // that the registry has
    bool m_look = false;
};

} // namespace redrive
