#include "core/webhooks/endpoint_test.h"

#include "core/base/ids.h"
#include "core/base/json_text.h"
#include "core/base/stopping.h"
#include "core/webhooks/attempt_record.h"

#include <atomic>

namespace redrive {

namespace {

QByteArray testBody(const QString& endpointId, qint64 nowMs)
{
    QByteArray body(R"({"event":"webhook.test","data":{"endpoint":)");
    appendJsonString(body, endpointId);
    return body + R"(},"timestamp":)" + QByteArray::number(nowMs) + '}';
}

// Between those of deliveries, which begin at 1, and those of handlers.
quint64 nextToken()
{
    static std::atomic<quint64> next = quint64(1) << 62;
    return next++;
}

} // namespace

Result<DeliveryRequest> testRequest(const Endpoint& endpoint, qint64 nowMs)
{
    if (!endpoint.problem.isEmpty())
        return fail(ErrorKind::Refused, endpoint.problem, {}, endpoint.problemCode);
    auto body = std::make_shared<const QByteArray>(testBody(endpoint.settings.id, nowMs));
    return buildDeliveryRequest(endpoint, endpoint.settings.url, newId(nowMs), std::move(body), nowMs / 1000);
}

DeliveryAttempt testOutcome(const Endpoint& endpoint, const QString& shownHeaders, const HttpOutcome& outcome,
                            qint64 startedAtMs)
{
    DeliveryPlan plan = planDelivered();
    if (!isDelivered(outcome)) {
        plan = planFailed(outcome, {}, {}, {}, startedAtMs, 0);
        plan.settlement.dueAtMs.reset();
        plan.nextReason.clear();
    }
    DeliveryAttempt attempt = attemptRecord(1, outcome, plan);
    attempt.kind = u"test"_s;
    attempt.url = endpoint.settings.url;
    attempt.startedAtMs = startedAtMs;
    attempt.finishedAtMs = startedAtMs + outcome.totalUs / 1000;
    attempt.requestHeaders = shownHeaders;
    if (endpoint.version > 0)
        attempt.endpointVersion = endpoint.version;
    return attempt;
}

void sendTest(const std::shared_ptr<const Endpoint>& endpoint, const QString& endpointId, const Clock& clock,
              HttpSender& sender, std::function<void(Result<DeliveryAttempt>)> answer)
{
    if (!endpoint) {
        answer(fail(ErrorKind::NotFound, u"'%1' is not registered"_s.arg(endpointId)));
        return;
    }
    const qint64 nowMs = clock.wallMs();
    auto request = testRequest(*endpoint, nowMs);
    if (!request) {
        answer(fail(request.error()));
        return;
    }
    request->http.token = nextToken();
    const auto shared = std::make_shared<std::function<void(Result<DeliveryAttempt>)>>(std::move(answer));
    const bool taken =
        sender.send(std::move(request->http),
                    [shared, endpoint, nowMs, shown = request->shownHeaders](HttpOutcome outcome) {
                        (*shared)(testOutcome(*endpoint, shown, outcome, nowMs));
                    });
    if (!taken)
        (*shared)(fail(engineIsStopping()));
}

} // namespace redrive
