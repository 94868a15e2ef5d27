#include "core/engine/command_gate.h"

#include "core/base/stopping.h"
#include "core/engine/redrive_pacer.h"
#include "core/engine/redrive_slice.h"
#include "core/store/action_scope.h"
#include "core/store/redrive_ledger_store.h"

#include <algorithm>
#include <utility>

namespace redrive {

namespace {

constexpr int kLeastItems = 10; // of one redrive in a turn, however many are open

} // namespace

CommandGate::CommandGate(QStringList declaredQueues, std::function<bool()> engineLives)
    : m_limits{std::move(declaredQueues), PayloadRules({}), {}, 0}, m_engineLives(std::move(engineLives))
{
}

Result<ActionPlan> CommandGate::plan(Connection& db, const ActionRequest& request, qint64 nowMs) const
{
    return planAction(db, request, m_limits, nowMs);
}

void CommandGate::submit(ActionRequest request, Answer answer)
{
    m_incoming.push_back({std::move(request), std::move(answer)});
}

Result<qint64> CommandGate::write(Cycle& cycle, const ActionRequest& request) const
{
    REDRIVE_TRY(checkRequest(cycle.db, request, m_limits, cycle.nowMs));
    REDRIVE_ASSIGN(items, freezeItems(cycle.db, request, m_limits, cycle.nowMs));
    if (items.isEmpty())
        return 0;
    const bool purge = request.verb == ActionVerb::PurgeQueue;
    NewRedrive asked;
    asked.verb = request.verb;
    asked.scope = scopeWords(request.scope);
    asked.actor = request.actor;
    asked.source = request.source;
    asked.reason = request.reason;
    if (purge || request.verb == ActionVerb::Requeue || request.verb == ActionVerb::Edit)
        asked.queue = request.scope.queue;
    if (request.verb == ActionVerb::Postpone)
        asked.dueAtMs = dueTimeOf(request, cycle.nowMs);
    if (request.verb == ActionVerb::Edit)
        asked.payload = request.payload;
    asked.pace = paceOf(request, items.size(), m_limits);
    if (request.holdMs > 0)
        asked.heldUntilMs = cycle.nowMs + request.holdMs;
    asked.endpointId = request.scope.endpointId;
    REDRIVE_ASSIGN(leaves, leavesDelivered(cycle.db, request));
    asked.leavesDelivered = leaves;
    QueueContent content;
    if (purge) {
        REDRIVE_ASSIGN(now, message_removal::contentOf(cycle.db, request.scope.queue, request.scope.cutoff));
        content = now;
        asked.cutoffSeq = now.lastSeq;
    }
    REDRIVE_ASSIGN(no, redrive_store::insert(cycle, asked));
    int itemNo = 0;
    for (const QString& item : items)
        REDRIVE_TRY(redrive_store::addItem(cycle, no, ++itemNo, item));
    REDRIVE_TRY(redrive_store::setTotal(cycle, no, purge ? int(content.messages) : itemNo));
    return no;
}

void CommandGate::refuseWaiting()
{
    for (const Request& request : std::exchange(m_incoming, {}))
        request.answer(fail(engineIsStopping()));
    for (const auto& [no, answer] : std::exchange(m_waiting, {}))
        answer(fail(
            ErrorKind::Refused,
            u"the engine stopped before operation %1 was done: the next engine goes on with it"_s.arg(no),
            u"stopping"_s));
}

bool CommandGate::hasWork(qint64, qint64 steadyMs) const
{
    return m_lookAtStore || !m_incoming.empty() || (m_nextAtMs && *m_nextAtMs <= steadyMs);
}

std::optional<qint64> CommandGate::nextDeadline() const
{
    return m_lookAtStore || !m_incoming.empty() ? std::optional<qint64>(0) : m_nextAtMs;
}

Status CommandGate::apply(Cycle& cycle)
{
    if (m_engineLives)
        return followEngine(cycle);
    REDRIVE_TRY(writeIncoming(cycle));
    return execute(cycle);
}

Status CommandGate::followEngine(Cycle& cycle)
{
    for (const auto& [no, answer] : m_waiting) {
        REDRIVE_ASSIGN(row, redrive_store::read(cycle.db, no));
        if (row && !row->isOpen()) {
            REDRIVE_ASSIGN(result, resultOf(cycle.db, no));
            answerAfterCommit(cycle, result);
        }
    }
    if (!m_incoming.empty() && !m_engineLives())
        refuseIncoming(cycle);
    else
        REDRIVE_TRY(writeIncoming(cycle));
    cycle.afterCommit.push_back([this] { m_lookAtStore = false; });
    return {};
}

void CommandGate::refuseIncoming(Cycle& cycle)
{
    cycle.afterCommit.push_back([this] {
        std::vector<Request> refused;
        refused.swap(m_incoming);
        for (const Request& request : refused)
            request.answer(fail(ErrorKind::Refused, u"no engine is running on this database"_s));
    });
}

Status CommandGate::execute(Cycle& cycle)
{
    REDRIVE_ASSIGN(open, redrive_store::open(cycle.db));
    if (m_leavesPaced)
        open.removeIf([](const RedriveRow& redrive) { return redrive.asked.pace.isSet(); });
    const int each = std::max(kLeastItems, kItemsPerTurn / std::max(1, int(open.size())));
    int left = kItemsPerTurn;
    Outlook outlook;
    for (RedriveRow& redrive : open) {
        const int settledBefore = redrive.settled();
        REDRIVE_TRY(executeOne(cycle, redrive, std::min(each, left), outlook));
        left = std::max(0, left - (redrive.settled() - settledBefore));
        if (!redrive.isOpen())
            REDRIVE_TRY(endOne(cycle, redrive));
    }
    REDRIVE_TRY(answerStopped(cycle, open));
    cycle.afterCommit.push_back([this, outlook] {
        m_lookAtStore = outlook.moreNow;
        m_awaitsOutcomes = outlook.awaitsOutcomes;
        m_nextAtMs = outlook.nextAtMs;
    });
    return {};
}

Status CommandGate::executeOne(Cycle& cycle, RedriveRow& redrive, int items, Outlook& outlook)
{
    const auto lookAgainAt = [&](qint64 steadyMs) {
        outlook.nextAtMs = std::min(outlook.nextAtMs.value_or(steadyMs), steadyMs);
    };
    if (const auto heldMs = redrive_pacer::heldMs(redrive, cycle.nowMs)) {
        lookAgainAt(cycle.steadyMs + *heldMs);
        return {};
    }
    const bool passedBefore = redrive.canaryPassed;
    REDRIVE_ASSIGN(leave, redrive_pacer::leaveOf(cycle, redrive, items));
    if (leave.items > 0 || !redrive.asked.pace.isSet()) {
        if (items > 0)
            REDRIVE_TRY(runRedriveSlice(cycle, redrive, leave.items, m_limits));
    } else if (redrive.state == RedriveState::Paused || redrive.state == RedriveState::Stopped ||
               redrive.canaryPassed != passedBefore) {
        REDRIVE_TRY(redrive_store::saveState(cycle, redrive));
    }
    if (!redrive.isOpen() || redrive.state == RedriveState::Paused)
        return {};
    if (leave.awaitsOutcomes) {
        outlook.awaitsOutcomes = true;
        lookAgainAt(cycle.steadyMs + kLookMs);
        REDRIVE_ASSIGN(looked, redrive_ledger_store::settleUnnoticed(
                                   cycle, redrive.no, m_lookedAt.value(redrive.no), kLookedAtOnce));
        m_lookedAt[redrive.no] = looked;
    } else if (const auto waitMs = redrive_pacer::waitMs(redrive, cycle.nowMs)) {
        lookAgainAt(cycle.steadyMs + *waitMs);
    } else {
        outlook.moreNow = true;
    }
    return {};
}

Status CommandGate::endOne(Cycle& cycle, const RedriveRow& redrive)
{
    m_lookedAt.remove(redrive.no);
    REDRIVE_TRY(auditRedrive(cycle, redrive));
    REDRIVE_ASSIGN(result, resultOf(cycle.db, redrive.no));
    answerAfterCommit(cycle, result);
    return {};
}

// Those that an order stopped are open no more.
Status CommandGate::answerStopped(Cycle& cycle, const QList<RedriveRow>& open)
{
    for (const auto& [no, answer] : m_waiting) {
        const auto isIt = [no = no](const RedriveRow& redrive) { return redrive.no == no; };
        if (std::any_of(open.begin(), open.end(), isIt))
            continue;
        REDRIVE_ASSIGN(row, redrive_store::read(cycle.db, no));
        if (row && row->isOpen())
            continue;
        REDRIVE_ASSIGN(result, resultOf(cycle.db, no));
        answerAfterCommit(cycle, result);
    }
    return {};
}

Status CommandGate::writeIncoming(Cycle& cycle)
{
    std::vector<qint64> numbers;
    QHash<qint64, int> paced; // totals by number
    for (const Request& request : m_incoming) {
        auto written = write(cycle, request.asked);
        if (!written && written.error().kind != ErrorKind::InvalidInput)
            return fail(written.error());
        if (!written) {
            cycle.afterCommit.push_back(
                [answer = request.answer, error = written.error()] { answer(fail(error)); });
        }
        numbers.push_back(written.value_or(0));
        REDRIVE_ASSIGN(row, redrive_store::read(cycle.db, numbers.back()));
        if (row && row->asked.pace.isSet())
            paced.insert(numbers.back(), row->total);
        if (written && *written == 0)
            cycle.afterCommit.push_back([answer = request.answer] { answer(ActionResult{}); });
    }
    cycle.afterCommit.push_back([this, numbers, paced] {
        std::vector<std::pair<qint64, Answer>> written;
        for (size_t i = 0; i < numbers.size(); ++i) {
            if (numbers[i] != 0)
                (paced.contains(numbers[i]) ? written : m_waiting)
                    .emplace_back(numbers[i], std::move(m_incoming[i].answer));
        }
        m_incoming.erase(m_incoming.begin(), m_incoming.begin() + qsizetype(numbers.size()));
        for (const auto& [no, answer] : written)
            answer(ActionResult{no, paced.value(no), 0, {}, 0, {}, true});
    });
    return {};
}

void CommandGate::answerAfterCommit(Cycle& cycle, const ActionResult& result)
{
    cycle.afterCommit.push_back([this, result] {
        const auto waiting = std::find_if(m_waiting.begin(), m_waiting.end(),
                                          [&](const auto& one) { return one.first == result.redriveNo; });
        if (waiting == m_waiting.end())
            return;
        const Answer answer = std::move(waiting->second);
        m_waiting.erase(waiting);
        answer(result);
    });
}

void CommandGate::rolledBack(const Error& error)
{
    if (error.kind != ErrorKind::Busy) // which is tried again
        answerIncoming(error);
}

void CommandGate::storeRefuses(const std::optional<Error>& why)
{
    if (why)
        answerIncoming(*why);
}

void CommandGate::answerIncoming(const Error& error)
{
    std::vector<Request> lost;
    lost.swap(m_incoming);
    for (const Request& request : lost)
        request.answer(fail(error));
}

Result<ActionResult> CommandGate::resultOf(Connection& db, qint64 redriveNo)
{
    REDRIVE_ASSIGN(row, redrive_store::read(db, redriveNo));
    if (!row)
        return fail(ErrorKind::NotFound, u"there is no redrive %1"_s.arg(redriveNo));
    REDRIVE_ASSIGN(refused, redrive_store::refusedItems(db, redriveNo, kRefusedShown));
    REDRIVE_ASSIGN(newId, redrive_store::newIdOf(db, redriveNo));
    return ActionResult{redriveNo,    row->total, row->succeeded, refused,
                        row->refused, newId,      false,          row->state == RedriveState::Stopped};
}

} // namespace redrive
