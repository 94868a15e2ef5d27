#include "core/webhooks/fan_out_handler.h"

#include "core/base/ids.h"
#include "core/domain/reason.h"
#include "core/store/endpoint_store.h"
#include "core/webhooks/delivery_dispatcher.h"

namespace redrive {

namespace {

constexpr qint64 kNoteEveryMs = 3'600'000;
constexpr qsizetype kNotedKept = 20'000;

Result<WebhookEvent> eventOf(const ClaimedJob& job, const FanOutRequest& request, Cycle& cycle)
{
    REDRIVE_ASSIGN(existing, event_store::ofJob(cycle.db, job.id));
    if (existing)
        return *std::move(existing);
    const qint64 timestampMs = job.createdAtMs > 0 ? job.createdAtMs : cycle.nowMs;
    WebhookEvent event{newId(cycle.nowMs), job.id, job.run, request.eventType,
                       eventBody(request, timestampMs)};
    REDRIVE_TRY(event_store::insert(cycle, event));
    return event;
}

QByteArray resultOf(const WebhookEvent& event, const FanOutRequest& request)
{
    return R"({"eventId":")" + event.id.toLatin1() + R"(","deliveries":)" +
           QByteArray::number(qint64(request.targets.size())) + R"(,"notSubscribed":)" +
           QByteArray::number(request.notSubscribed) + '}';
}

} // namespace

FanOutHandler::FanOutHandler(const Settings& settings, const EndpointRegistry& registry,
                             DeliveryDispatcher* dispatcher)
    : m_settings(settings), m_registry(registry), m_dispatcher(dispatcher)
{
}

Result<HandlerOutcome> FanOutHandler::run(const ClaimedJob& job, Cycle& cycle)
{
    const auto request = readFanOut(job.payload, m_registry);
    if (!request) {
        HandlerOutcome refused;
        refused.result = HandlerResult::Permanent;
        refused.error = request.error().text();
        refused.reason = reason::kRefusedPayload;
        return refused;
    }
    REDRIVE_ASSIGN(event, eventOf(job, *request, cycle));

    const ConsumerSettings* consumer = m_settings.consumer(job.queue);
    QStringList due;
    for (const FanOutTarget& target : request->targets) {
        NewDelivery delivery{target.endpointId, target.url, target.settings, job.maxRetries + 1, {}, {}};
        if (target.scheduleLength > 0)
            delivery.budget = int(target.scheduleLength) + 1;
        if (consumer)
            delivery.retryBaseMs = consumer->retryDelayMs;
        delivery.heldReason = target.heldReason;
        REDRIVE_ASSIGN(made, delivery_store::insert(cycle, event, delivery));
        REDRIVE_TRY(noteEndpoint(cycle, target));
        if (made && target.heldReason.isEmpty())
            due.append(target.endpointId);
    }
    HandlerOutcome outcome;
    outcome.content = resultOf(event, *request);
    if (m_dispatcher && !due.isEmpty())
        m_dispatcher->noticeFresh(event.id, std::move(event.body), due);
    return outcome;
}

// So that the console knows endpoints too that only payloads describe.
Status FanOutHandler::noteEndpoint(Cycle& cycle, const FanOutTarget& target)
{
    if (!target.settings || m_registry.find(target.endpointId))
        return {};
    const qint64 notedAtMs = m_noted.value(target.endpointId);
    if (notedAtMs > 0 && cycle.nowMs - notedAtMs < kNoteEveryMs)
        return {};
    REDRIVE_TRY(endpoint_store::notePayload(cycle, target.endpointId, target.url));
    cycle.afterCommit.push_back([this, id = target.endpointId, nowMs = cycle.nowMs] {
        if (m_noted.size() >= kNotedKept)
            m_noted.clear();
        m_noted.insert(id, nowMs);
    });
    return {};
}

} // namespace redrive
