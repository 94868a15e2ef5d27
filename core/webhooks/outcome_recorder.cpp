#include "core/webhooks/outcome_recorder.h"

#include "core/base/log.h"
#include "core/store/alert_store.h"
#include "core/store/delivery_attempt_store.h"
#include "core/store/endpoint_state_store.h"
#include "core/store/letter_store.h"
#include "core/store/redrive_ledger_store.h"
#include "core/webhooks/attempt_record.h"
#include "core/webhooks/breaker_keeper.h"
#include "core/webhooks/endpoint_verdict.h"

#include <algorithm>

namespace redrive {

namespace {

Status writeAttempt(Cycle& cycle, const Sending& sending, const HttpOutcome& outcome,
                    const DeliveryPlan& plan)
{
    return delivery_attempt_store::finish(cycle, sending.delivery.id,
                                          attemptRecord(sending.attempt(), outcome, plan));
}

void touch(Cycle& cycle, const Sending& sending)
{
    cycle.changes.touch(sending.delivery.id);
    cycle.changes.touch(sending.delivery.jobId);
}

// A delivery that has left this attempt (another engine took it over) stays as it is.
Result<bool> settle(Cycle& cycle, const Sending& sending, const DeliveryPlan& plan)
{
    const qint64 rowKey = sending.delivery.rowKey;
    auto settled = plan.attemptOutcome == u"delivered"
                       ? delivery_store::settleDelivered(cycle, rowKey, sending.attempt())
                       : delivery_store::settle(cycle, rowKey, sending.attempt(), plan.settlement);
    if (settled && *settled) {
        touch(cycle, sending);
    } else if (settled) {
        logEvent(LogLevel::Warning, "delivery_outcome_too_late", {{"delivery", sending.delivery.id}});
    }
    return settled;
}

// A redrive may have begun it: the first attempt of a delivery that nobody replays is no redrive's.
bool mayBeRedriven(const Sending& sending)
{
    return sending.delivery.replayOf || sending.attempt() > 1;
}

Status writeLetter(Cycle& cycle, const Sending& sending, const DeliveryTerms& terms, const DeliveryPlan& plan)
{
    NewLetter letter;
    letter.kind = LetterKind::Delivery;
    letter.subjectId = sending.delivery.id;
    letter.type = terms.eventType;
    letter.endpointId = sending.endpointId;
    letter.attempts = sending.attempt();
    letter.maxAttempts = terms.budget;
    letter.reason = plan.settlement.reason;
    letter.error = plan.settlement.error;
    letter.sentAtMs = terms.createdAtMs;
    return letter_store::insert(cycle, letter);
}

} // namespace

OutcomeRecorder::OutcomeRecorder(BackoffSettings backoff, std::function<double()> random,
                                 NetworkKeeper& network)
    : m_backoff(backoff), m_random(std::move(random)), m_network(network)
{
}

Result<bool> OutcomeRecorder::record(Cycle& cycle, const Sending& sending, const HttpOutcome& outcome,
                                     LaneBook& lanes, HoldKeeper& holds, RecordedOutcomes& recorded,
                                     bool alone) const
{
    Lane& lane = lanes.edit(sending.endpointId);
    --lane.inFlight;
    const EndpointVerdict verdict = endpointVerdict(outcome);
    REDRIVE_ASSIGN(offline, m_network.note(cycle, lanes, sending, verdict, outcome));
    REDRIVE_TRY(breaker_keeper::record(cycle, lane, sending.endpointId,
                                       offline ? EndpointVerdict::None : verdict, sending.probe));
    if (isDelivered(outcome)) {
        REDRIVE_TRY(writeAttempt(cycle, sending, outcome, planDelivered()));
        ++recorded.delivered;
        if (alone || mayBeRedriven(sending)) {
            REDRIVE_TRY(recordDelivered(cycle, sending, lanes, holds));
            return true;
        }
        touch(cycle, sending);
        recorded.firstDelivered.push_back(sending.delivery.rowKey);
        return true;
    }
    REDRIVE_ASSIGN(plan, recordFailed(cycle, sending, outcome, lanes, offline));
    recorded.failed += plan.attemptOutcome == u"failed" ? 1 : 0;
    recorded.dead += plan.settlement.status == DeliveryStatus::Dead ? 1 : 0;
    if (const auto dueAtMs = plan.settlement.dueAtMs)
        recorded.earliestDueMs = std::min(recorded.earliestDueMs.value_or(*dueAtMs), *dueAtMs);
    return !offline;
}

Status OutcomeRecorder::settleTogether(Cycle& cycle, const RecordedOutcomes& recorded) const
{
    const std::vector<qint64>& rowKeys = recorded.firstDelivered;
    if (rowKeys.empty())
        return {};
    REDRIVE_ASSIGN(settled, delivery_store::settleFirstDelivered(cycle, rowKeys));
    if (settled < qint64(rowKeys.size()))
        logEvent(LogLevel::Warning, "delivery_outcomes_too_late",
                 {{"count", QString::number(qint64(rowKeys.size()) - settled)}});
    return {};
}

Status OutcomeRecorder::recordDelivered(Cycle& cycle, const Sending& sending, LaneBook& lanes,
                                        HoldKeeper& holds) const
{
    REDRIVE_ASSIGN(settled, settle(cycle, sending, planDelivered()));
    if (settled && mayBeRedriven(sending))
        REDRIVE_TRY(redrive_ledger_store::noteSuccess(cycle, sending.delivery.id));
    if (sending.delivery.replayOf && lanes.edit(sending.endpointId).disabled)
        return holds.enable(cycle, lanes, sending.endpointId);
    return {};
}

Result<DeliveryPlan> OutcomeRecorder::recordFailed(Cycle& cycle, const Sending& sending,
                                                   const HttpOutcome& outcome, LaneBook& lanes,
                                                   bool offline) const
{
    REDRIVE_ASSIGN(terms, delivery_store::terms(cycle.db, sending.delivery.rowKey));
    const DeliveryTerms known = terms.value_or(DeliveryTerms{});
    DeliveryPlan plan = offline ? planOffline(outcome, known, cycle.nowMs)
                                : planFailed(outcome, known, sending.endpoint->settings.scheduleMs, m_backoff,
                                             cycle.nowMs, m_random());
    Lane& lane = lanes.edit(sending.endpointId);
    if (lane.breaker.isOpen())
        waitForTheBreaker(plan, lane.breaker.openUntilMs());
    REDRIVE_TRY(writeAttempt(cycle, sending, outcome, plan));
    REDRIVE_ASSIGN(settled, settle(cycle, sending, plan));
    if (settled && plan.settlement.status == DeliveryStatus::Dead)
        REDRIVE_TRY(writeLetter(cycle, sending, *terms, plan));
    if (settled && plan.attemptOutcome == u"failed" && mayBeRedriven(sending))
        REDRIVE_TRY(redrive_ledger_store::noteFailure(cycle, sending.delivery.id, plan.attemptError));
    if (plan.badRetryAfter)
        logEvent(LogLevel::Notice, "retry_after_ignored",
                 {{"endpoint", sending.endpointId}, {"value", QString::fromLatin1(*outcome.retryAfter)}});

    if (plan.disableEndpoint && !lane.disabled) {
        lane.disabled = true;
        REDRIVE_TRY(endpoint_state_store::disable(cycle, sending.endpointId, DisabledCause::Gone, {}));
        REDRIVE_TRY(alert_store::note(cycle, AlertKind::EndpointDisabled, sending.endpointId,
                                      u"it answered 410; its deliveries are held"_s));
    }
    lane.mustHold = lane.mustHold || lane.takesNothing();
    if (plan.pauseUntilMs && *plan.pauseUntilMs > lane.pausedUntilMs) {
        lane.pausedUntilMs = *plan.pauseUntilMs;
        REDRIVE_TRY(endpoint_state_store::pauseUntil(cycle, sending.endpointId, lane.pausedUntilMs));
    }
    return plan;
}

} // namespace redrive
