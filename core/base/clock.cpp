#include "core/base/clock.h"

#include <QFile>

#include <ctime>

namespace redrive {

namespace {
qint64 readClock(clockid_t id)
{
    timespec now{};
    clock_gettime(id, &now);
    return qint64(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}
} // namespace

qint64 SystemClock::wallMs() const
{
    return readClock(CLOCK_REALTIME);
}

qint64 SystemClock::steadyMs() const
{
    return readClock(CLOCK_MONOTONIC);
}

qint64 SystemClock::bootMs() const
{
    return readClock(CLOCK_BOOTTIME);
}

QString bootId()
{
    static const QString id = [] {
        QFile file(QStringLiteral("/proc/sys/kernel/random/boot_id"));
        return file.open(QIODevice::ReadOnly) ? QString::fromLatin1(file.readAll().trimmed())
                                              : QStringLiteral("unknown");
    }();
    return id;
}

} // namespace redrive
