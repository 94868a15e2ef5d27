#include "core/webhooks/endpoint_verdict.h"

#include "core/base/result.h"

#include <QStringList>

namespace redrive {

namespace {

EndpointVerdict ofNotSent(const HttpOutcome& outcome)
{
    static const QStringList noNetwork{u"dns_failed"_s, u"unreachable"_s};
    static const QStringList itsFault{u"refused"_s, u"connect_failed"_s, u"tls_failed"_s,
                                      u"timeout_connect"_s};
    const bool nameNotFound = outcome.errorCode == u"timeout_connect" && outcome.peerAddress.isEmpty();
    if (nameNotFound || noNetwork.contains(outcome.errorCode))
        return EndpointVerdict::Unreachable;
    return itsFault.contains(outcome.errorCode) ? EndpointVerdict::Bad : EndpointVerdict::None;
}

} // namespace

EndpointVerdict endpointVerdict(const HttpOutcome& outcome)
{
    switch (outcome.outcome) {
    case HttpOutcome::Class::NotSent:
        return ofNotSent(outcome);
    case HttpOutcome::Class::Unknown:
        return outcome.errorCode == u"cancelled" ? EndpointVerdict::None : EndpointVerdict::Bad;
    case HttpOutcome::Class::Answered:
        break;
    }
    if (outcome.status >= 200 && outcome.status < 300)
        return EndpointVerdict::Good;
    const bool aboutTheRequest =
        outcome.status == 400 || outcome.status == 413 || outcome.status == 415 || outcome.status == 422;
    return aboutTheRequest ? EndpointVerdict::None : EndpointVerdict::Bad;
}

} // namespace redrive
