// Keeps the registry of endpoints as the store has it: the configuration's at the start, changes asked for
// here, and changes of other processes. Control thread.
#pragma once

#include "core/domain/endpoint.h"
#include "core/store/change_inbox.h"
#include "core/webhooks/endpoint_registry.h"
#include "core/webhooks/endpoint_secret.h"

namespace redrive {

struct EndpointKeeperParts
{
    EndpointRegistry& registry;    // outlives the keeper
    std::function<void()> changed; // after the commit; states may have changed too
    // Inside the turn: cancels the open deliveries of an endpoint.
    std::function<Status(Cycle&, const EndpointChange&)> cancelOpen;
    SecretKeeper keepSecret = {};      // nothing: no secret is made here
    SecretForgetter forgetSecret = {}; // of a rotation that was refused
};

class EndpointKeeper final : public CyclePart
{
public:
    using Inbox = ChangeInbox<EndpointChange, EndpointChanged>;

    explicit EndpointKeeper(EndpointKeeperParts parts) : m_parts(std::move(parts)) {}

    // Within the first turn. `configured`: written into the store first; nothing: this process only reads.
    Status begin(Cycle& cycle, const std::optional<QList<EndpointSettings>>& configured);
    // In the next turn; answers after its commit.
    void submit(EndpointChange change, Inbox::Answer answer);
    // Another process may have changed endpoints.
    void lookAtStore() { m_look = true; }
    // Answers what still waits: no turn follows any more.
    void refuseWaiting() { m_inbox.refuseStopping(); }
    bool hasIncoming() const { return !m_inbox.isEmpty(); }

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void storeRefuses(const std::optional<Error>& why) override;
    void rolledBack(const Error& error) override { m_inbox.rolledBack(error); }
    std::optional<qint64> nextDeadline() const override;

private:
    Result<EndpointChanged> applyOne(Cycle& cycle, const EndpointChange& change);
    Status read(Cycle& cycle);

    EndpointKeeperParts m_parts;
    Inbox m_inbox;
    qint64 m_revision = 0; // that the registry has
    bool m_look = false;
};

} // namespace redrive
