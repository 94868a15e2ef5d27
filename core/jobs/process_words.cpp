#include "core/jobs/process_words.h"

namespace redrive {

namespace {

constexpr qsizetype kErrorChars = 2'000;

QString whatEnded(const ProcessOutcome& ended, qint64 timeLimitMs)
{
    switch (ended.end) {
    case ProcessOutcome::End::TimedOut:
        return u"time limit of %1 s reached"_s.arg(double(timeLimitMs) / 1000.0);
    case ProcessOutcome::End::Cancelled:
        return u"stopped"_s;
    case ProcessOutcome::End::Signalled:
        return u"signal %1"_s.arg(ended.signal);
    case ProcessOutcome::End::Exited:
        break;
    }
    return u"exit %1"_s.arg(ended.exitCode);
}

} // namespace

QString endWords(const ProcessOutcome& ended, qint64 timeLimitMs)
{
    const QByteArray said =
        ended.errors.trimmed().isEmpty() ? ended.output.trimmed() : ended.errors.trimmed();
    const QString words = QString::fromUtf8(said).left(kErrorChars);
    const QString what = whatEnded(ended, timeLimitMs);
    return words.isEmpty() ? what : what + u": "_s + words;
}

} // namespace redrive
