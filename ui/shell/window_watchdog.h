// Sees when the window thread does not come back to its event loop in time: logs it and counts. Time in which
// the thread wanted to run and other programs had the processors is no fault of the window and is left out,
// where the system tells it (Linux: schedstat). Window thread.
#pragma once

#include <QObject>
#include <QTimer>

namespace redrive {

class WindowWatchdog final : public QObject
{
    Q_OBJECT
    Q_PROPERTY(int blocks READ blocks)
    Q_PROPERTY(int longestMs READ longestMs RESET forgetLongest)
public:
    static constexpr int kTickMs = 10;
    static constexpr int kLimitMs = 50;

    // Watches the thread it is made in from the event loop's first turn on.
    explicit WindowWatchdog(QObject* parent = nullptr);
    ~WindowWatchdog() override;

    int blocks() const { return m_blocks; } // times over kLimitMs
    // The latest look; the thread was blocked at most kTickMs longer.
    int longestMs() const { return int(m_longestNs / 1'000'000); }
    void forgetLongest() { m_longestNs = 0; }

private:
    void look();
    qint64 waitedNs() const; // so far for a processor; 0 where unknown

    QTimer m_tick;
    int m_schedstat;
    qint64 m_lastNs = 0; // 0: no look yet
    qint64 m_lastWaitedNs = 0;
    qint64 m_longestNs = 0;
    int m_blocks = 0;
};

} // namespace redrive
