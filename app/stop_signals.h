// SIGTERM, SIGINT and SIGHUP as calls on the thread that made the object, by a pipe of its own. One object
// at a time; needs an event loop.
#pragma once

#include <QSocketNotifier>

#include <functional>
#include <memory>

namespace redrive {

class StopSignals final
{
public:
    // `onSignal` hears how many have come so far.
    explicit StopSignals(std::function<void(int count)> onSignal);
    ~StopSignals(); // the signals have their usual effect again
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

private:
    void readPipe();

    std::function<void(int)> m_onSignal;
    std::unique_ptr<QSocketNotifier> m_notifier;
    int m_pipe[2] = {-1, -1};
    int m_count = 0;
};

} // namespace redrive
