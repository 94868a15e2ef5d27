// The engine offline: no route, no names, whatever the endpoint. Deliveries beyond this machine wait then and
// spend no budget, no breaker opens, one attempt at a time looks whether the network is back. Control thread,
// inside a turn's transaction.
#pragma once

#include "core/net/http_exchange.h"
#include "core/store/cycle.h"
#include "core/webhooks/lane_book.h"
#include "core/webhooks/offline_watch.h"
#include "core/webhooks/sending.h"
#include "core/webhooks/target_hosts.h"

#include <functional>

namespace redrive {

class NetworkKeeper final
{
public:
    // Whether this machine has no network at all; empty: nobody knows.
    explicit NetworkKeeper(std::function<bool()> isCutOff = {}) : m_isCutOff(std::move(isCutOff)) {}

    void beginTurn() { m_turn = m_watch; }
    void commit() { m_watch = m_turn; }

    bool isOffline() const { return m_turn.isOffline(); }
    // Unix ms; nothing: it is not.
    std::optional<qint64> offlineSinceMs() const { return m_watch.sinceMs(); }

    // What came of an attempt. True when it failed for want of a network.
    Result<bool> note(Cycle& cycle, LaneBook& lanes, const Sending& sending, EndpointVerdict verdict,
                      const HttpOutcome& outcome);

    // It cannot go out now.
    bool holdsUp(const QString& url) { return isOffline() && !m_hosts.of(url).isLocal; }

    // The endpoint whose oldest delivery is to look whether the network is back; nothing: not now.
    Result<std::optional<QString>> wantsProbe(Cycle& cycle, const LaneBook& lanes) const;
    void beginProbe(const QString& endpointId) { m_turn.beginProbe(endpointId); }
    void probeSaidNothing(const Moment& now) { m_turn.probeSaidNothing(now); }
    // Steady ms; after the commit.
    std::optional<qint64> nextProbeMs() const { return m_watch.nextProbeMs(); }

private:
    Status goOffline(Cycle& cycle, LaneBook& lanes, const QString& error);
    static void goOnline(LaneBook& lanes);

    std::function<bool()> m_isCutOff;
    OfflineWatch m_watch;
    OfflineWatch m_turn;
    TargetHosts m_hosts;
};

} // namespace redrive
