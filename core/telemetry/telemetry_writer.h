// The consumer of the telemetry queue: writes its messages to system_telemetry, a batch as one unit, inside
// the turn. What the table refuses for good becomes a dead letter at once, with the database's words; when it
// takes no row at all for another reason, the batch waits 1, 2, 4 … 60 s and has spent no attempt. A store
// that cannot be written fails the turn, as with everything else. Control thread.
#pragma once

#include "core/feed/counters.h"
#include "core/queue/turn_writer.h"
#include "core/telemetry/row_writer.h"

namespace redrive {

class TelemetryWriter final : public TurnWriter
{
public:
    static constexpr qint64 kMostBytes = 4 * 1024 * 1024; // of payloads, in one unit
    static constexpr qint64 kFirstWaitMs = 1'000;
    static constexpr qint64 kLongestWaitMs = 60'000;

    explicit TelemetryWriter(Counters& counters) : m_counters(counters) {}

    Status write(Cycle& cycle, const ConsumerSettings& queue, const QList<WaitingMessage>& messages) override;
    std::optional<qint64> waitsUntil() const override { return m_waitsUntil; }
    void nothingWaits(Cycle& cycle) override;

private:
    Status writeUnit(Cycle& cycle, const ConsumerSettings& queue, const QList<WaitingMessage>& messages);
    Status bury(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                const Error& error);
    Status mendTable(Cycle& cycle);
    Status wait(Cycle& cycle, const Error& because);
    void goOn(Cycle& cycle);

    Counters& m_counters;
    QHash<QString, Error> m_enders;
    std::optional<qint64> m_waitsUntil; // steady
    qint64 m_waitMs = 0;                // the last wait; 0: none since a row was written
};

} // namespace redrive
