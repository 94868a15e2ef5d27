#include "core/jobs/url_handler.h"

#include "core/jobs/url_exchange.h"

namespace redrive {

UrlHandler::UrlHandler(const HandlerSettings& settings, BlockingPost post, const Clock& clock)
    : m_url(settings.url), m_timeLimitMs(settings.timeoutMs.value_or(kDefaultTimeLimitMs)),
      m_concurrency(settings.concurrency.value_or(0)), m_post(std::move(post)), m_clock(clock)
{
}

HandlerOutcome UrlHandler::run(const ClaimedJob& job, const StopSignal& stop)
{
    HttpRequest request = urlRequest(m_url, job.payload, m_timeLimitMs);
    request.headers.append({"Redrive-Job-Id", job.id.toLatin1()});
    request.headers.append({"Redrive-Run", QByteArray::number(job.run)});
    request.headers.append({"Redrive-Attempt", QByteArray::number(job.attempt)});
    return urlOutcome(m_post(std::move(request), stop), m_timeLimitMs, m_clock.wallMs());
}

} // namespace redrive
