// A steady stream of jobs and telemetry over HTTP, as a user's own programs would send them. The thread that
// made it; needs an event loop.
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
    static constexpr int kSeedEvents = 60;
    static constexpr int kEventsIntervalMs = 250;
    static constexpr int kPoisonEach = 120; // one of so many events is refused by the table

    // Sends the first burst at once.
    void start(const QUrl& engine, const QByteArray& ingestToken);

private:
    void send();
    void sendEvents(int count);
    void post(const QUrl& url, const QByteArray& body, const QByteArray& token);

    QNetworkAccessManager m_network{this};
    QTimer m_timer{this};
    QTimer m_eventTimer{this};
    QUrl m_jobs;
    QUrl m_ingest;
    QByteArray m_token;
    int m_sent = 0;
    int m_events = 0;
};

} // namespace redrive
