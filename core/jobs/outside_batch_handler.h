// Consumers of queues that the configuration names: a program or a URL gets whole batches, see batch_text.h.
// Worker threads.
#pragma once

#include "core/config/settings.h"
#include "core/jobs/batch_handler.h"
#include "core/jobs/blocking_post.h"

namespace redrive {

class CommandBatchHandler final : public BatchHandler
{
public:
    explicit CommandBatchHandler(const HandlerSettings& settings);

    BatchOutcome run(const MessageBatch& batch, const StopSignal& stop) override;
    qint64 timeLimitMs() const override { return m_timeLimitMs; }
    int concurrencyLimit() const override { return m_concurrency; }

private:
    QString m_program; // absolute; empty: not found
    QString m_problem;
    QStringList m_arguments;
    qint64 m_timeLimitMs;
    int m_concurrency;
};

class UrlBatchHandler final : public BatchHandler
{
public:
    UrlBatchHandler(const HandlerSettings& settings, BlockingPost post);

    BatchOutcome run(const MessageBatch& batch, const StopSignal& stop) override;
    qint64 timeLimitMs() const override { return m_timeLimitMs; }
    int concurrencyLimit() const override { return m_concurrency; }

private:
    QString m_url;
    qint64 m_timeLimitMs;
    int m_concurrency;
    BlockingPost m_post;
};

} // namespace redrive
