// What the HTTP front asks, answered by the engine's parts. Any thread.
#pragma once

#include "core/engine/reader.h"
#include "core/intake/http_server.h"
#include "core/intake/intake_port.h"
#include "core/jobs/enqueue.h"
#include "core/telemetry/ingest_inbox.h"

namespace redrive {

class IntakeAdapter final : public IntakePort
{
public:
    struct Parts
    {
        Reader& reader;
        std::function<void(Reply<StoreCounts>)> counts;
        std::function<void(JobSubmission)> submit;
        std::function<void(EventSubmission)> submitEvents;
        std::function<EngineHealth()> health;
        std::function<HttpFigures()> http;
        std::function<qint64()> nowMs;
        QString telemetryQueue; // empty: there is none
    };

    explicit IntakeAdapter(Parts parts) : m_parts(std::move(parts)) {}

    void enqueue(EnqueueRequest request, std::function<void(Result<EnqueueReply>)> reply) override;
    void ingest(IngestRequest request, std::function<void(Result<IngestReply>)> reply) override;
    void job(QString id, std::function<void(Result<QByteArray>)> reply) override;
    void metrics(std::function<void(Result<QByteArray>)> reply) override;
    void health(std::function<void(Health)> reply) override;

private:
    Parts m_parts;
};

} // namespace redrive
