#include "core/queue/settlement.h"

namespace redrive {

Settlement::Settlement(int messages) : m_singles(size_t(messages)) {}

void Settlement::ack(int index)
{
    Single& single = m_singles.at(size_t(index));
    if (m_batch == Call::None && single.call == Call::None)
        single.call = Call::Ack;
}

void Settlement::retry(int index, std::optional<qint64> delayMs)
{
    Single& single = m_singles.at(size_t(index));
    if (m_batch == Call::None && single.call != Call::Ack)
        single = {Call::Retry, delayMs};
}

void Settlement::ackAll()
{
    if (m_batch == Call::None)
        m_batch = Call::Ack;
}

void Settlement::retryAll(std::optional<qint64> delayMs)
{
    if (m_batch == Call::Ack)
        return;
    m_batch = Call::Retry;
    m_batchDelayMs = delayMs;
}

std::vector<Decision> Settlement::decisions(HandlerEnd end) const
{
    const Call unsettled = end == HandlerEnd::Returned ? Call::Ack : Call::Retry;
    std::vector<Decision> decisions;
    decisions.reserve(m_singles.size());
    for (const Single& single : m_singles) {
        if (single.call == Call::Ack)
            decisions.push_back({true, {}});
        else if (single.call == Call::Retry)
            decisions.push_back({false, single.delayMs ? single.delayMs : m_batchDelayMs});
        else if (m_batch == Call::Retry)
            decisions.push_back({false, m_batchDelayMs});
        else
            decisions.push_back({m_batch == Call::Ack || unsettled == Call::Ack, {}});
    }
    return decisions;
}

} // namespace redrive
