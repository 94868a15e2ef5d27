// The other way to take events in: the same HTTP front, and behind it a transaction of one row for each
// request. start() and stop() by the destructor, in one thread.
#pragma once

#include "core/base/clock.h"
#include "core/intake/http_server.h"
#include "core/intake/intake_port.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace redrive::bench {

class DirectWriter final : public IntakePort
{
public:
    // The database is made and migrated before. `token` opens the door.
    DirectWriter(const QString& databasePath, const QByteArray& token);
    ~DirectWriter() override;

    quint16 port() const { return m_http.port(); }

    void enqueue(EnqueueRequest request, std::function<void(Result<EnqueueReply>)> reply) override;
    void ingest(IngestRequest request, std::function<void(Result<IngestReply>)> reply) override;
    void job(QString id, std::function<void(Result<QByteArray>)> reply) override;
    void metrics(std::function<void(Result<QByteArray>)> reply) override;
    void health(std::function<void(Health)> reply) override;

private:
    struct Waiting
    {
        QByteArray event;
        std::function<void(Result<IngestReply>)> reply;
    };

    void write();

    const QString m_path;
    SystemClock m_clock;
    HttpServer m_http;
    std::mutex m_mutex; // guards m_waiting, m_ending
    std::condition_variable m_changed;
    std::deque<Waiting> m_waiting;
    bool m_ending = false;
    std::thread m_writer;
};

} // namespace redrive::bench
