#include "core/webhooks/wait_words.h"

#include "core/base/result.h"

#include <QDateTime>

namespace redrive {

namespace {

QString seconds(qint64 ms)
{
    const int digits = ms % 1'000 == 0 ? 0 : ms < 1'000 ? 3 : 1;
    return ms >= 60'000 ? QString::number((ms + 500) / 1'000)
                        : QString::number(double(ms) / 1'000, 'f', digits);
}

// In the largest unit that needs no fraction, as schedules are written.
QString step(qint64 ms)
{
    constexpr qint64 minute = 60'000;
    constexpr qint64 hour = 60 * minute;
    if (ms >= hour && ms % hour == 0)
        return u"%1 h"_s.arg(ms / hour);
    if (ms >= minute && ms % minute == 0)
        return u"%1 m"_s.arg(ms / minute);
    return u"%1 s"_s.arg(seconds(ms));
}

} // namespace

QString retryWords(const RetryWait& wait, int failure, int budget)
{
    QString words = u"%1 step"_s.arg(step(wait.stepMs));
    if (wait.jitterMs > 0)
        words += u" + %1 s jitter"_s.arg(seconds(wait.jitterMs));
    return words + u" after failure %1 of %2"_s.arg(failure).arg(budget);
}

QString askedToWaitWords(qint64 ms)
{
    return u"asked to wait %1 s"_s.arg(seconds(ms));
}

QString breakerOpenWords(qint64 untilMs)
{
    const QTime time = QDateTime::fromMSecsSinceEpoch(untilMs, Qt::UTC).time();
    return u"breaker open until %1 UTC"_s.arg(time.toString(u"HH:mm:ss"));
}

} // namespace redrive
