#include "core/intake/answer_line.h"

namespace redrive {

namespace {
constexpr qsizetype kKeptCapacity = 4096;
} // namespace

quint64 AnswerLine::open(qint64 nowMs, bool headOnly, bool close)
{
    m_slots.push_back({.sinceMs = nowMs, .headOnly = headOnly, .close = close});
    return m_first + m_slots.size() - 1;
}

AnswerLine::Slot* AnswerLine::waiting(quint64 number)
{
    if (number < m_first || number - m_first >= m_slots.size())
        return nullptr;
    Slot& slot = m_slots[std::size_t(number - m_first)];
    return slot.ready ? nullptr : &slot;
}

void AnswerLine::sent(qsizetype bytes)
{
    if (bytes < m_output.size())
        m_output.remove(0, bytes);
    else if (m_output.capacity() > kKeptCapacity)
        m_output.clear();
    else
        m_output.resize(0);
}

void AnswerLine::flush()
{
    while (!m_slots.empty() && m_slots.front().ready) {
        m_output += m_slots.front().bytes;
        m_slots.pop_front();
        ++m_first;
    }
}

} // namespace redrive
