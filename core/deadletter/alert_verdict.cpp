#include "core/deadletter/alert_verdict.h"

#include "core/base/log.h"
#include "core/base/result.h"
#include "core/net/retry_after.h"

#include <algorithm>
#include <array>

namespace redrive {

namespace {

constexpr std::array<qint64, 10> kWaitsMs{5'000,   15'000,  30'000,    60'000,    120'000,
                                          300'000, 600'000, 1'200'000, 1'800'000, 3'600'000};
constexpr int kBudget = 20; // attempts; half a day
constexpr qint64 kMostAskedMs = 3'600'000;
constexpr qsizetype kWordsCharacters = 200;

// What the same post will get each time.
bool isFinal(const HttpOutcome& outcome)
{
    static constexpr std::array<int, 7> kFinal{400, 404, 405, 410, 413, 415, 422};
    return outcome.permanent || (outcome.outcome == HttpOutcome::Class::Answered &&
                                 std::find(kFinal.begin(), kFinal.end(), outcome.status) != kFinal.end());
}

QString wordsOf(const HttpOutcome& outcome, const PostTarget& target)
{
    QString words;
    if (outcome.outcome != HttpOutcome::Class::Answered) {
        words = outcome.errorText.isEmpty() ? outcome.errorCode : outcome.errorText;
    } else {
        const QString said = QString::fromUtf8(outcome.responseBody.left(1'000)).simplified();
        words = u"HTTP %1"_s.arg(outcome.status) + (said.isEmpty() ? QString() : u": "_s + said);
    }
    return escapedControls(target.masked(words).left(kWordsCharacters));
}

} // namespace

PostVerdict postVerdict(const HttpOutcome& outcome, const PostTarget& target, int failedBefore, qint64 nowMs)
{
    const bool answered = outcome.outcome == HttpOutcome::Class::Answered;
    if (answered && outcome.status >= 200 && outcome.status < 300)
        return {PostVerdict::Arrived, u"HTTP %1"_s.arg(outcome.status), 0};
    if (outcome.errorCode == u"cancelled")
        return {PostVerdict::Interrupted, outcome.errorText, 0};
    const QString words = wordsOf(outcome, target);
    if (isFinal(outcome) || failedBefore + 1 >= kBudget)
        return {PostVerdict::Never, words, 0};
    qint64 waitMs = kWaitsMs[std::size_t(std::min<int>(failedBefore, int(kWaitsMs.size()) - 1))];
    if (outcome.retryAfter)
        if (const auto asked = retryAfterMs(*outcome.retryAfter, nowMs))
            waitMs = std::max(waitMs, std::min(*asked, kMostAskedMs));
    return {PostVerdict::Again, words, waitMs};
}

} // namespace redrive
