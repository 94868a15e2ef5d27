#include "core/webhooks/attempt_record.h"

namespace redrive {

namespace {

QString classText(HttpOutcome::Class outcome)
{
    switch (outcome) {
    case HttpOutcome::Class::NotSent:
        return u"not_sent"_s;
    case HttpOutcome::Class::Unknown:
        return u"unknown"_s;
    case HttpOutcome::Class::Answered:
        return u"answered"_s;
    }
    return {};
}

QString peerText(const HttpOutcome& outcome)
{
    if (outcome.peerAddress.isEmpty())
        return {};
    const bool ipv6 = outcome.peerAddress.contains(u':');
    return (ipv6 ? u"[%1]:%2"_s : u"%1:%2"_s).arg(outcome.peerAddress).arg(outcome.peerPort);
}

// Bytes from outside as text that every database keeps.
QString storable(const QByteArray& bytes)
{
    QString text = QString::fromUtf8(bytes);
    return text.contains(QChar(0)) ? text.replace(QChar(0), QChar(QChar::ReplacementCharacter)) : text;
}

} // namespace

DeliveryAttempt attemptRecord(int attempt, const HttpOutcome& outcome, const DeliveryPlan& plan)
{
    DeliveryAttempt record;
    record.attempt = attempt;
    record.outcome = plan.attemptOutcome;
    record.outcomeClass = classText(outcome.outcome);
    if (outcome.status > 0)
        record.statusCode = outcome.status;
    record.errorCode = outcome.errorCode;
    record.error = plan.attemptError;
    record.peer = peerText(outcome);
    record.responseHeaders = storable(outcome.responseHeaders);
    record.responseBody = outcome.responseBody;
    record.dnsUs = outcome.dnsUs;
    record.connectUs = outcome.connectUs;
    record.tlsUs = outcome.tlsUs;
    record.firstByteUs = outcome.firstByteUs;
    record.totalUs = outcome.totalUs;
    record.tlsVersion = outcome.tlsVersion;
    record.certificateEndsAtMs = outcome.certificateExpiryMs;
    record.nextAtMs = plan.nextAtMs ? plan.nextAtMs : plan.settlement.dueAtMs;
    record.nextReason = plan.nextReason;
    return record;
}

} // namespace redrive
