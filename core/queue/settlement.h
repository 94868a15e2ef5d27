// What becomes of the messages of a batch, from the calls its handler made. Pure; one thread at a time.
// Rules: the first call on a message wins between ack and retry, a second retry replaces the first; single
// calls made before a batch call stand; a batch call made first wins over later single ones. A handler that
// returns acks what it did not settle; after one that fails, calls made stand and the rest is retried.
#pragma once

#include <QtGlobal>

#include <optional>
#include <vector>

namespace redrive {

enum class HandlerEnd { Returned, Failed };

struct Decision
{
    bool ack = true;
    std::optional<qint64>
        delayMs; // of a retry: the message's own, else the batch call's; nothing: the queue's
};

class Settlement final
{
public:
    explicit Settlement(int messages);

    void ack(int index);
    void retry(int index, std::optional<qint64> delayMs = {});
    void ackAll();
    void retryAll(std::optional<qint64> delayMs = {});

    std::vector<Decision> decisions(HandlerEnd end) const;

private:
    enum class Call { None, Ack, Retry };
    struct Single
    {
        Call call = Call::None;
        std::optional<qint64> delayMs;
    };

    std::vector<Single> m_singles;
    Call m_batch = Call::None;
    std::optional<qint64> m_batchDelayMs;
};

} // namespace redrive
