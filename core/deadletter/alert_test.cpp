#include "core/deadletter/alert_test.h"

#include "core/base/stopping.h"
#include "core/deadletter/alert_form.h"
#include "core/deadletter/alert_verdict.h"
#include "core/domain/failure_signature.h"

#include <algorithm>
#include <atomic>

namespace redrive {

namespace {

quint64 nextToken()
{
    static std::atomic<quint64> next = quint64(3) << 61;
    return next++;
}

Alert testAlert(qint64 nowMs)
{
    Alert alert;
    alert.signature = plainSignature(u"test"_s, {});
    alert.title = u"this is what an alert of Redrive looks like"_s;
    alert.count = 1;
    alert.firstAtMs = alert.lastAtMs = alert.atMs = nowMs;
    alert.examples.append({u"job"_s,
                           u"00000000-0000-7000-8000-000000000000"_s,
                           u"example"_s,
                           u"jobs"_s,
                           {},
                           u"an example of an error"_s});
    return alert;
}

} // namespace

void sendAlertTest(const Settings& settings, const QString& targetId, qint64 nowMs, HttpSender& sender,
                   std::function<void(Result<AlertTestResult>)> answer)
{
    const QList<PostTarget> targets = postTargets(settings);
    const auto target = std::find_if(targets.begin(), targets.end(),
                                     [&](const PostTarget& each) { return each.id == targetId; });
    if (target == targets.end()) {
        answer(fail(ErrorKind::NotFound, u"the configuration has no such target of alerts"_s));
        return;
    }
    if (!target->problem.isEmpty()) {
        answer(fail(ErrorKind::Refused, target->problem));
        return;
    }
    HttpRequest request = alertRequest(*target, testAlert(nowMs), alertSource(settings));
    request.token = nextToken();
    const auto shared = std::make_shared<std::function<void(Result<AlertTestResult>)>>(std::move(answer));
    const bool taken =
        sender.send(std::move(request), [shared, target = *target, nowMs](const HttpOutcome& outcome) {
            const PostVerdict verdict = postVerdict(outcome, target, 0, nowMs);
            (*shared)(AlertTestResult{toText(target.form), target.place, verdict.kind == PostVerdict::Arrived,
                                      verdict.words, outcome.totalUs / 1000});
        });
    if (!taken)
        (*shared)(fail(engineIsStopping()));
}

} // namespace redrive
