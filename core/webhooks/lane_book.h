// The lanes of endpoints: how much is in flight, and what may go out. A lane exists only while its endpoint
// has something in flight, due, or asked for, so memory does not grow with the backlog. Changes are made on
// copies that a turn's commit takes over. Control thread.
#pragma once

#include "core/webhooks/endpoint_registry.h"

#include <QStringList>

#include <optional>
#include <unordered_map>
#include <vector>

namespace redrive {

struct Lane
{
    int inFlight = 0;
    int limit = 4;
    bool due = false;    // the store may hold deliveries that are due
    bool paused = false; // by its settings: nothing goes out
    bool pausedByOperator = false;
    bool disabled = false;    // it answered 410, or by hand: only an operator's replays go out
    bool mustHold = false;    // waiting deliveries are to become held
    qint64 pausedUntilMs = 0; // wall clock; by Retry-After

    int freeSlots() const { return limit > inFlight ? limit - inFlight : 0; }
    // Scheduled deliveries are held.
    bool takesNothing() const { return paused || pausedByOperator || disabled; }
    bool ready(qint64 nowMs) const
    {
        return due && !paused && !pausedByOperator && pausedUntilMs <= nowMs && freeSlots() > 0;
    }
    bool forgettable(qint64 nowMs) const
    {
        return inFlight == 0 && !due && !disabled && !pausedByOperator && !mustHold && pausedUntilMs <= nowMs;
    }
};

// What the lanes want next.
struct LaneOutlook
{
    bool ready = false;                // a delivery may go out now
    bool mustHold = false;             // there are deliveries to hold
    std::optional<qint64> pauseEndsMs; // wall clock; the first lane that waits for the end of its pause
};

class LaneBook final
{
public:
    explicit LaneBook(const EndpointRegistry& registry) : m_registry(registry) {}

    // The turn's copy; a new lane takes its limit and pause from the registry.
    Lane& edit(const QString& endpointId);
    // The same, with limit and pause read again.
    Lane& refresh(const QString& endpointId);
    QStringList known() const;
    void markDue(const QString& endpointId);

    QStringList ready(qint64 nowMs) const;
    QStringList toHold() const;
    LaneOutlook outlook(qint64 nowMs) const;

    void commit(qint64 nowMs);
    void discard() { m_turn.clear(); }

private:
    void applySettings(const QString& endpointId, Lane& lane) const;
    template <typename Visitor>
    void visit(Visitor visitor) const;

    const EndpointRegistry& m_registry;
    std::unordered_map<QString, Lane> m_lanes;
    std::unordered_map<QString, Lane> m_turn;
};

} // namespace redrive
