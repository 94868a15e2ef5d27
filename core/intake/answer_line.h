// The answers of one connection in the order of its requests, however the engine finishes them. Not
// thread-safe.
#pragma once

#include "core/intake/routes.h"

#include <QByteArray>

#include <deque>

namespace redrive {

class AnswerLine final
{
public:
    struct Slot
    {
        qint64 sinceMs = 0;
        bool headOnly = false;
        bool close = false; // nothing follows on this connection
        bool ready = false;
        Route route = Route::None;                    // of what the engine will answer
        const char* contentType = "application/json"; // of what the engine will send
        QByteArray bytes = {};                        // ready, but others come first
    };

    // The number of the new slot; numbers count up from 0.
    quint64 open(qint64 nowMs, bool headOnly, bool close);
    // Null when the slot is gone or has its answer.
    Slot* waiting(quint64 number);
    // `write(QByteArray&)` appends the answer, to the output itself where nothing is in front of it.
    template <typename Write>
    void fill(quint64 number, Write write)
    {
        Slot& slot = m_slots[std::size_t(number - m_first)];
        slot.ready = true;
        write(number == m_first ? m_output : slot.bytes);
        flush();
    }

    bool isEmpty() const { return m_slots.empty(); }
    int count() const { return int(m_slots.size()); }
    // The oldest that waits; only when not empty.
    const Slot& front() const { return m_slots.front(); }
    quint64 frontNumber() const { return m_first; }

    // What is to be sent, and what of it was.
    const QByteArray& output() const { return m_output; }
    void sent(qsizetype bytes);

private:
    void flush();

    quint64 m_first = 0;
    std::deque<Slot> m_slots;
    QByteArray m_output;
};

} // namespace redrive
