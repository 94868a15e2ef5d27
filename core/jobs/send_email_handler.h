// The job type send_email: see email.h for the payload. Replies of 5xx are permanent, all other failures are
// tried again. Worker threads.
#pragma once

#include "core/base/clock.h"
#include "core/config/settings.h"
#include "core/jobs/handler.h"
#include "core/jobs/smtp_exchange.h"

namespace redrive {

class SendEmailHandler final : public BlockingHandler
{
public:
    SendEmailHandler(const Settings& settings, const Clock& clock, const QString& caFile = {});

    HandlerOutcome run(const ClaimedJob& job, const StopSignal& stop) override;
    qint64 timeLimitMs() const override { return m_timeLimitMs; }
    int concurrencyLimit() const override { return m_concurrency; }

private:
    SmtpServer m_server;
    QString m_from;
    qint64 m_timeLimitMs;
    int m_concurrency;
    const Clock& m_clock;
};

} // namespace redrive
