// What a turn's attempts say about their endpoints: counted in memory, written once a turn. Control thread,
// inside a turn's transaction.
#pragma once

#include "core/domain/endpoint.h"
#include "core/net/http_exchange.h"
#include "core/store/cycle.h"

#include <unordered_map>

namespace redrive {

class FiguresBook final
{
public:
    // An attempt that was recorded. One that was cancelled says nothing.
    void count(const QString& endpointId, const HttpOutcome& outcome);
    Status write(Cycle& cycle);
    void commit();
    void discard() { m_turn.clear(); }

private:
    struct Entry
    {
        EndpointFigures figures;
        std::optional<qint64> certificateEndsAtMs;
    };

    static constexpr size_t kCertificatesKept = 10'000;

    std::unordered_map<QString, Entry> m_turn;
    std::unordered_map<QString, qint64> m_certificates; // as written last
};

} // namespace redrive
