// Sends deliveries: picks what is due, fairly between endpoints, writes each attempt before its request
// leaves, and records what came back. Control thread, except where noted.
#pragma once

#include "core/webhooks/delivery_claimer.h"
#include "core/webhooks/due_finder.h"
#include "core/webhooks/figures_book.h"
#include "core/webhooks/outcome_inbox.h"
#include "core/webhooks/outcome_recorder.h"

#include <atomic>

namespace redrive {

struct DispatcherParts
{
    const EndpointRegistry& registry; // outlives the dispatcher
    BackoffSettings backoff;
    // Hands requests to the sender; false when it takes nothing any more. Tokens are 1, 2, 3 …
    std::function<bool(std::vector<HttpRequest>)> send;
    std::function<void()> wake;               // any thread: a turn is wanted
    std::function<double()> random;           // 0–1, for the backoff
    int maxInFlight = 256;                    // requests at once, all endpoints together
    std::function<void(quint64)> cancel = {}; // ends a request that was handed to `send`
    std::function<bool()> isCutOff = {};      // whether this machine has no network at all
};

// Since the start. Any thread.
struct DeliveryTotals
{
    std::atomic<quint64> delivered = 0;
    std::atomic<quint64> failed = 0;        // attempts
    std::atomic<quint64> dead = 0;          // deliveries
    std::atomic<qint64> offlineSinceMs = 0; // unix ms; 0: it has a network
};

class DeliveryDispatcher final : public CyclePart
{
public:
    explicit DeliveryDispatcher(DispatcherParts parts);

    // Any thread: outcomes of requests that were handed to `send`.
    void take(std::vector<HttpOutcome> outcomes);

    // Before a turn: see OutcomeInbox::gather().
    void gather() { m_inbox.gather(m_inFlight.size()); }

    // Inside a turn, before apply(): deliveries just made, due at once.
    void noticeFresh(const QString& eventId, QByteArray body, const QStringList& endpointIds);
    // Somebody else may have changed deliveries (another process). Inside a turn `cycle.lookAtDeliveries`
    // says the same.
    void lookAgain() { m_finder.lookEverywhere(); }

    // Endpoints or their state were changed by somebody else: their limits, pauses and holds are read again
    // in the next turn.
    void endpointsChanged()
    {
        m_holds.reload();
        m_moreNow = true;
    }

    // Ends the request of one delivery, by its row key; what came of it is recorded as ever.
    void cancelRequest(qint64 rowKey);

    // From now on nothing new is sent; what is under way is still recorded.
    void beginStop() { m_stopping = true; }
    // Nothing is under way and every outcome is recorded.
    bool isIdle() const { return m_inFlight.empty() && !hasOutcomes(); }
    bool hasOutcomes() const { return !m_outcomes.empty() || !m_inbox.isEmpty(); }
    bool hasRecords(qint64) const override { return hasOutcomes(); }
    int inFlight() const { return int(m_inFlight.size()); }
    const DeliveryTotals& totals() const { return m_totals; }

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    // After the other parts of the turn, so that what they made due goes out with the same commit.
    Status apply(Cycle& cycle) override;
    void rolledBack(const Error& error) override;
    std::optional<qint64> nextDeadline() const override;

private:
    // What this turn did, taken over by its commit.
    struct Turn
    {
        std::vector<quint64> settled;
        std::vector<ClaimedDelivery> claims;
        RecordedOutcomes recorded;
        bool loadedBreakers = false;
    };

    Status loadBreakers(Cycle& cycle);
    Status record(Cycle& cycle);
    int freeCapacity() const;
    void commitTurn(qint64 nowMs, qint64 steadyMs);
    void sendClaims();
    void planAhead(qint64 nowMs, qint64 steadyMs);

    DispatcherParts m_parts;
    OutcomeInbox m_inbox;
    DeliveryTotals m_totals;
    std::vector<HttpOutcome> m_outcomes;             // taken from the inbox, not yet committed
    std::unordered_map<quint64, Sending> m_inFlight; // by token
    LaneBook m_lanes;
    DueFinder m_finder;
    HoldKeeper m_holds;
    FiguresBook m_figures;
    NetworkKeeper m_network;
    OutcomeRecorder m_recorder;
    DeliveryClaimer m_claimer;
    QStringList m_freshEndpoints;
    Turn m_turn;
    quint64 m_lastToken = 0;
    bool m_stopping = false;
    bool m_breakersLoaded = false;
    bool m_careful = false;             // after an error that one row of the turn may have caused
    bool m_moreNow = true;              // something can be done at once
    qint64 m_turnSteadyMs = 0;          // of the last turn
    std::optional<qint64> m_deadlineMs; // steady clock
};

} // namespace redrive
