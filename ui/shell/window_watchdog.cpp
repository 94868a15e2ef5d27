#include "ui/shell/window_watchdog.h"

#include "core/base/log.h"
#include "core/base/result.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

namespace redrive {

namespace {

constexpr qint64 kNsOfMs = 1'000'000;

qint64 nowNs()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

} // namespace

WindowWatchdog::WindowWatchdog(QObject* parent)
    : QObject(parent), m_schedstat(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC))
{
    setObjectName(u"windowWatchdog"_s);
    m_tick.setTimerType(Qt::PreciseTimer);
    connect(&m_tick, &QTimer::timeout, this, &WindowWatchdog::look);
    m_tick.start(kTickMs);
}

WindowWatchdog::~WindowWatchdog()
{
    if (m_schedstat >= 0)
        ::close(m_schedstat);
}

// "time on a processor, time waited for one, turns", in nanoseconds
qint64 WindowWatchdog::waitedNs() const
{
    char text[96];
    const auto size = m_schedstat >= 0 ? ::pread(m_schedstat, text, sizeof text - 1, 0) : 0;
    if (size <= 0)
        return 0;
    text[size] = '\0';
    char* afterFirst = nullptr;
    std::strtoll(text, &afterFirst, 10);
    return std::strtoll(afterFirst, nullptr, 10);
}

void WindowWatchdog::look()
{
    const qint64 now = nowNs();
    const qint64 waited = waitedNs();
    const qint64 late = m_lastNs > 0 ? now - m_lastNs - kTickMs * kNsOfMs : 0;
    const qint64 elsewhere = waited - m_lastWaitedNs;
    m_lastNs = now;
    m_lastWaitedNs = waited;
    const qint64 blocked = late - elsewhere;
    m_longestNs = std::max(m_longestNs, blocked);
    if (blocked <= kLimitMs * kNsOfMs)
        return;
    ++m_blocks;
    logEvent(LogLevel::Warning, "window_blocked",
             {{"ms", QString::number(blocked / kNsOfMs)},
              {"waited_for_processor_ms", QString::number(elsewhere / kNsOfMs)}});
}

} // namespace redrive
