#include "core/intake/http_service.h"

#include "core/intake/media_rules.h"

namespace redrive {

namespace {

TokenScope doorOf(Route route)
{
    return takesEvents(route) ? TokenScope::Ingest : TokenScope::Everything;
}

} // namespace

HttpService::HttpService(Clock& clockToUse, IntakePort& intake, const HttpOptions& options,
                         const QStringList& listenHosts)
    : clock(clockToUse), port(intake), limits(options.limits), hosts(options.hosts, listenHosts),
      access(options.tokens, options.access), payloads(options.processFileRoots),
      completions(std::make_shared<CompletionQueue>()), date(clockToUse)
{
}

qint64 HttpService::bodyLimit(Route route) const
{
    return takesBatch(route) ? limits.batchBytes : limits.bodyBytes;
}

std::optional<HttpProblem> HttpService::judge(const HttpHead& head, const ClientAddress& client,
                                              Admission& admission)
{
    admission = {};
    RouteMatch& match = admission.match;
    if (stopping)
        return problem::shuttingDown();
    const Target target = splitTarget(head.target);
    if (head.has(HttpField::Host) && !hosts.accepts(head.field(HttpField::Host)))
        return problem::wrongHost();
    if (!target.authority.isNull() && !hosts.accepts(target.authority))
        return problem::wrongHost();
    if (!HostRules::sameSite(head))
        return problem::originNotAllowed();
    if (!isKnownMethod(head.method))
        return problem::unknownMethod();
    match = matchRoute(target.path);
    if (match.route == Route::None)
        return problem::notFound();
    if (!allowsMethod(match.route, head.method))
        return problem::methodNotAllowed(allowHeader(match.route));
    if (match.route != Route::Health) {
        if (auto refused = access.admit(head.field(HttpField::Authorization), client, clock.wallMs(),
                                        clock.steadyMs(), admission.token, doorOf(match.route)))
            return refused;
    }
    if (takesBody(match.route) && !head.contentLength && !head.chunked)
        return problem::lengthRequired();
    if (head.contentLength.value_or(0) > quint64(bodyLimit(match.route)))
        return problem::bodyTooLarge(bodyLimit(match.route));
    if (takesBody(match.route) &&
        !isReadableMedia(head.field(HttpField::ContentType), head.field(HttpField::ContentEncoding)))
        return problem::unsupportedMediaType();
    if (head.has(HttpField::Expect) && !sameWord(head.field(HttpField::Expect), "100-continue"))
        return problem::expectationFailed();
    return std::nullopt;
}

} // namespace redrive
