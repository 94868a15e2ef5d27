#include "core/webhooks/figures_book.h"

#include "core/store/endpoint_state_store.h"
#include "core/store/endpoint_stats_store.h"
#include "core/webhooks/delivery_plan.h"

namespace redrive {

void FiguresBook::count(const QString& endpointId, const HttpOutcome& outcome)
{
    if (outcome.errorCode == u"cancelled")
        return;
    Entry& entry = m_turn[endpointId];
    const bool answered = outcome.outcome == HttpOutcome::Class::Answered;
    entry.figures.count(isDelivered(outcome), answered ? std::optional(outcome.totalUs) : std::nullopt);
    if (outcome.certificateExpiryMs)
        entry.certificateEndsAtMs = outcome.certificateExpiryMs;
}

Status FiguresBook::write(Cycle& cycle)
{
    for (const auto& [endpointId, entry] : m_turn) {
        REDRIVE_TRY(endpoint_stats_store::add(cycle, endpointId, entry.figures));
        const auto known = m_certificates.find(endpointId);
        if (entry.certificateEndsAtMs &&
            (known == m_certificates.end() || known->second != *entry.certificateEndsAtMs))
            REDRIVE_TRY(endpoint_state_store::noteCertificate(cycle, endpointId, *entry.certificateEndsAtMs));
    }
    return {};
}

void FiguresBook::commit()
{
    for (const auto& [endpointId, entry] : m_turn) {
        if (!entry.certificateEndsAtMs)
            continue;
        if (m_certificates.size() >= kCertificatesKept)
            m_certificates.clear();
        m_certificates.insert_or_assign(endpointId, *entry.certificateEndsAtMs);
    }
    m_turn.clear();
}

} // namespace redrive
