// The job type of a URL in the configuration: the payload is posted as it is, see url_exchange.h for what
// the answer means. Worker threads.
#pragma once

#include "core/base/clock.h"
#include "core/config/settings.h"
#include "core/jobs/blocking_post.h"

namespace redrive {

class UrlHandler final : public BlockingHandler
{
public:
    UrlHandler(const HandlerSettings& settings, BlockingPost post, const Clock& clock);

    HandlerOutcome run(const ClaimedJob& job, const StopSignal& stop) override;
    qint64 timeLimitMs() const override { return m_timeLimitMs; }
    int concurrencyLimit() const override { return m_concurrency; }

private:
    QString m_url;
    qint64 m_timeLimitMs;
    int m_concurrency;
    BlockingPost m_post;
    const Clock& m_clock;
};

} // namespace redrive
