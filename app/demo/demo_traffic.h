// A steady stream of jobs over HTTP, as a user's own programs would send them. The thread that made it; needs
// an event loop.
#pragma once

#include <QNetworkAccessManager>
#include <QTimer>
#include <QUrl>

namespace redrive {

class DemoTraffic final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kSeedJobs = 40;
    static constexpr int kIntervalMs = 700;

    // Sends the first burst at once.
    void start(const QUrl& engine);

private:
    void send();

    QNetworkAccessManager m_network{this};
    QTimer m_timer{this};
    QUrl m_jobs;
    int m_sent = 0;
};

} // namespace redrive
