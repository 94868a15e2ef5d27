#include "tests/ui/support/sample_data.h"

namespace redrive::test {

QList<ActivityRow> sampleActivity(qint64 nowMs)
{
    ActivityRow alert;
    alert.isAlert = true;
    alert.key = 15;
    alert.id = u"alert 7"_s;
    alert.atMs = nowMs - 90'000;
    alert.what = u"dead_letters"_s;
    alert.target = u"HTTP 503 (kestrel-pay)"_s;
    alert.count = 49;
    alert.isDigest = true;
    alert.sent = 1;
    alert.waiting = 1;
    alert.postError = u"HTTP 500: try later"_s;
    ActivityRow action;
    action.key = 24;
    action.id = u"action 12"_s;
    action.atMs = nowMs - 240'000;
    action.what = u"requeue"_s;
    action.target = u"matching error:tls"_s;
    action.count = 214;
    action.actor = u"anna"_s;
    action.source = u"console"_s;
    action.redriveNo = 88;
    action.reason = u"certificates were renewed"_s;
    action.result = u"212 done, 2 refused"_s;
    ActivityRow open = alert;
    open.key = 13;
    open.id = u"alert 6"_s;
    open.atMs = nowMs - 700'000;
    open.what = u"breaker_open"_s;
    open.target = u"kestrel-pay"_s;
    open.count = 1;
    open.isDigest = false;
    open.sent = 2;
    open.waiting = 0;
    open.postError.clear();
    ActivityRow token = action;
    token.key = 22;
    token.id = u"action 11"_s;
    token.atMs = nowMs - 7'200'000;
    token.what = u"create token"_s;
    token.target = u"shop"_s;
    token.count = 1;
    token.redriveNo = 0;
    token.reason.clear();
    token.result = u"ok"_s;
    return {alert, action, open, token};
}

ActivityDetail sampleActivityDetail(qint64 nowMs)
{
    ActivityDetail detail;
    detail.row = sampleActivity(nowMs).first();
    Alert alert;
    alert.no = 7;
    alert.signature = u"5f1c0a9e33d2b4c6"_s;
    alert.title = detail.row.target;
    alert.isDigest = true;
    alert.count = 49;
    alert.firstAtMs = nowMs - 600'000;
    alert.lastAtMs = nowMs - 95'000;
    alert.atMs = detail.row.atMs;
    for (int i = 0; i < 3; ++i)
        alert.examples.append({u"delivery"_s,
                               u"0192f0c4-7b1c-7d6e-9b5a-0f7e1c2d3b4%1"_s.arg(i),
                               u"order.paid"_s,
                               {},
                               u"kestrel-pay"_s,
                               u"HTTP 503"_s});
    detail.alert = alert;
    detail.posts = {
        {u"a"_s, u"slack"_s, u"https://hooks.slack.com/\u2026"_s, u"sent"_s, 1, {}, {}, nowMs - 89'000},
        {u"b"_s, u"json"_s, u"secret OPS_URL"_s, u"waiting"_s, 2, nowMs + 15'000, u"HTTP 500: try later"_s,
         nowMs - 15'000}};
    return detail;
}

QList<AlertTargetRow> sampleAlertTargets(qint64 nowMs)
{
    AlertTargetRow works;
    works.id = u"a"_s;
    works.form = u"slack"_s;
    works.place = u"https://hooks.slack.com/\u2026"_s;
    works.lastSentAtMs = works.lastTriedAtMs = nowMs - 89'000;
    AlertTargetRow fails;
    fails.id = u"b"_s;
    fails.form = u"json"_s;
    fails.place = u"secret OPS_URL"_s;
    fails.lastSentAtMs = nowMs - 7'200'000;
    fails.lastTriedAtMs = nowMs - 15'000;
    fails.failingSinceMs = nowMs - 600'000;
    fails.lastError = u"HTTP 500: try later"_s;
    fails.waiting = 2;
    AlertTargetRow unusable;
    unusable.id = u"c"_s;
    unusable.form = u"pagerduty"_s;
    unusable.place = u"https://events.pagerduty.com/\u2026"_s;
    unusable.problem = u"the secret PAGER_KEY is not set"_s;
    return {works, fails, unusable};
}

} // namespace redrive::test
