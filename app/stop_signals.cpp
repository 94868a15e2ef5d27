#include "app/stop_signals.h"

#include <atomic>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP};

std::atomic<int> signalPipe = -1;

void onStopSignal(int)
{
    const int before = errno;
    const char byte = 1;
    (void)!::write(signalPipe, &byte, 1);
    errno = before;
}

void handleSignals(void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    for (const int signal : kSignals)
        ::sigaction(signal, &action, nullptr);
}

} // namespace

StopSignals::StopSignals(std::function<void(int)> onSignal) : m_onSignal(std::move(onSignal))
{
    if (::pipe2(m_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return; // the signals end the process at once, as they do without this
    signalPipe = m_pipe[1];
    m_notifier = std::make_unique<QSocketNotifier>(m_pipe[0], QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(), [this] { readPipe(); });
    handleSignals(onStopSignal);
}

StopSignals::~StopSignals()
{
    handleSignals(SIG_DFL);
    m_notifier.reset();
    signalPipe = -1;
    for (const int end : m_pipe)
        if (end >= 0)
            ::close(end);
}

void StopSignals::readPipe()
{
    char bytes[16];
    for (ssize_t got; (got = ::read(m_pipe[0], bytes, sizeof bytes)) > 0;)
        for (ssize_t i = 0; i < got; ++i)
            m_onSignal(++m_count);
}

} // namespace redrive
