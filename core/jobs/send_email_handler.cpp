#include "core/jobs/send_email_handler.h"

#include "core/base/json_text.h"
#include "core/base/result.h"
#include "core/domain/reason.h"
#include "core/jobs/email.h"

namespace redrive {

namespace {

HandlerOutcome failed(HandlerResult result, const QString& error, const QString& reasonCode = {})
{
    HandlerOutcome outcome;
    outcome.result = result;
    outcome.error = error;
    outcome.reason = reasonCode;
    return outcome;
}

// The same for every attempt of a run, so that a receiver can tell a mail that came twice.
QByteArray messageIdOf(const ClaimedJob& job, const Mailbox& from)
{
    return job.id.toLatin1() + '.' + QByteArray::number(job.run) +
           from.address.mid(from.address.lastIndexOf('@'));
}

QByteArray resultText(const QByteArray& messageId, qsizetype recipients)
{
    QByteArray out = "{\"messageId\":";
    appendJsonString(out, QByteArrayView(messageId));
    return out + ",\"recipients\":" + QByteArray::number(recipients) + '}';
}

} // namespace

SendEmailHandler::SendEmailHandler(const Settings& settings, const Clock& clock, const QString& caFile)
    : m_from(settings.smtpFrom), m_clock(clock)
{
    if (const Result<SmtpUrl> url = parseSmtpUrl(settings.smtpUrl))
        m_server.at = *url;
    if (!settings.smtpPasswordSecret.isEmpty())
        m_server.at.password = settings.secrets.value(settings.smtpPasswordSecret);
    m_server.caFile = caFile;
    const HandlerSettings own = settings.handlers.value(u"send_email"_s);
    m_timeLimitMs = own.timeoutMs.value_or(kDefaultTimeLimitMs);
    m_concurrency = own.concurrency.value_or(0);
}

HandlerOutcome SendEmailHandler::run(const ClaimedJob& job, const StopSignal& stop)
{
    if (m_server.at.url.isEmpty())
        return failed(HandlerResult::Permanent, u"there is no mail server: redrive.smtp.url is not set"_s,
                      reason::kPermanent);
    const auto email = readEmail(job.payload, m_from);
    if (!email)
        return failed(HandlerResult::Permanent, email.error().text(), reason::kRefusedPayload);
    const QByteArray messageId = messageIdOf(job, email->from);
    const SmtpMail mail{email->from.address, email->recipients(),
                        emailText(*email, messageId, m_clock.wallMs())};
    const SmtpOutcome outcome =
        sendBySmtp(m_server, mail, m_timeLimitMs, [&stop] { return !stop.requested; });
    switch (outcome.end) {
    case SmtpOutcome::End::Accepted: {
        HandlerOutcome done;
        done.content = resultText(messageId, mail.recipients.size());
        return done;
    }
    case SmtpOutcome::End::Refused:
        return failed(HandlerResult::Permanent, outcome.error, reason::kPermanent);
    case SmtpOutcome::End::TimedOut:
        return failed(HandlerResult::TimedOut,
                      u"time limit of %1 s reached"_s.arg(double(m_timeLimitMs) / 1000.0));
    case SmtpOutcome::End::Cancelled:
        return failed(HandlerResult::Cancelled, outcome.error);
    case SmtpOutcome::End::Failed:
        break;
    }
    return failed(HandlerResult::Transient, outcome.error);
}

} // namespace redrive
