// An answer on its way, made piece by piece as the peer reads and as time passes. Not thread-safe.
#pragma once

#include "core/receiver/behaviour.h"

namespace redrive {

class ReceiverAnswer final
{
public:
    // `headOnly`: a request of HEAD. `closes`: says that the connection ends.
    ReceiverAnswer(Behaviour behaviour, bool headOnly, bool closes, qint64 nowMs);

    // What can be sent now; empty: nothing yet, or it is finished. Holds until sent() or the next call.
    const QByteArray& output(qint64 nowMs);
    void sent(qsizetype bytes);
    bool isFinished() const { return m_output.isEmpty() && !m_waits && m_restBytes == 0; }
    // When there may be more, steady ms; nothing: when the peer has read, or never.
    std::optional<qint64> wakeAtMs() const;
    const Behaviour& behaviour() const { return m_behaviour; }

private:
    void begin();

    const Behaviour m_behaviour;
    const bool m_headOnly;
    const bool m_closes;
    bool m_waits = true; // for the delay
    qint64 m_nextMs;     // of the delay's end, then of the next byte that drips
    QByteArray m_output;
    QByteArray m_rest;      // of a body that is a text
    qint64 m_restBytes = 0; // of the body still to be made
};

} // namespace redrive
