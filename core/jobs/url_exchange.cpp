#include "core/jobs/url_exchange.h"

#include "core/base/result.h"
#include "core/domain/reason.h"
#include "core/net/retry_after.h"

#include <limits>

namespace redrive {

namespace {

constexpr int kNoLimitMs = std::numeric_limits<int>::max();
constexpr qsizetype kErrorChars = 2'000;
constexpr int kGone = 410;

QString withWords(const QString& what, const QByteArray& body)
{
    const QString words = QString::fromUtf8(body.left(4 * kErrorChars)).trimmed().left(kErrorChars);
    return words.isEmpty() ? what : what + u": "_s + words;
}

} // namespace

HttpRequest urlRequest(const QString& url, QByteArray body, qint64 timeLimitMs)
{
    HttpRequest request;
    request.url = url;
    request.headers = {{"Content-Type", "application/json"}};
    request.body = std::make_shared<const QByteArray>(std::move(body));
    request.totalTimeoutMs = timeLimitMs > 0 ? int(std::min<qint64>(timeLimitMs, kNoLimitMs)) : kNoLimitMs;
    request.firstByteTimeoutMs = request.totalTimeoutMs;
    request.connectTimeoutMs = std::min(request.connectTimeoutMs, request.totalTimeoutMs);
    return request;
}

HandlerOutcome urlOutcome(const HttpOutcome& exchange, qint64 timeLimitMs, qint64 nowMs)
{
    HandlerOutcome outcome;
    if (exchange.outcome == HttpOutcome::Class::Answered && exchange.status / 100 == 2) {
        outcome.content = exchange.responseBody;
        return outcome;
    }
    if (exchange.outcome == HttpOutcome::Class::Answered) {
        outcome.result = exchange.status == kGone ? HandlerResult::Permanent : HandlerResult::Transient;
        outcome.reason = exchange.status == kGone ? QString(reason::kGone) : QString();
        outcome.error = withWords(u"HTTP %1"_s.arg(exchange.status), exchange.responseBody);
        if ((exchange.status == 429 || exchange.status == 503) && exchange.retryAfter)
            outcome.leastDelayMs = retryAfterMs(*exchange.retryAfter, nowMs);
        return outcome;
    }
    outcome.error = exchange.errorText.isEmpty() ? exchange.errorCode : exchange.errorText;
    if (exchange.errorCode == u"cancelled") {
        outcome.result = HandlerResult::Cancelled;
    } else if (exchange.permanent) {
        outcome.result = HandlerResult::Permanent;
        outcome.reason = reason::kTargetRefused;
    } else if (exchange.errorCode == u"timeout_total" || exchange.errorCode == u"timeout_first_byte") {
        outcome.result = HandlerResult::TimedOut;
        outcome.error = u"time limit of %1 s reached"_s.arg(double(timeLimitMs) / 1000.0);
    } else {
        outcome.result = HandlerResult::Transient;
    }
    return outcome;
}

} // namespace redrive
