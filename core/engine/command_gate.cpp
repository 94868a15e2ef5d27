#include "core/engine/command_gate.h"

#include "core/engine/redrive_slice.h"
#include "core/store/action_scope.h"

#include <algorithm>
#include <utility>

namespace redrive {

namespace {

constexpr int kLeastItems = 10; // of one redrive in a turn, however many are open

} // namespace

CommandGate::CommandGate(QStringList declaredQueues, std::function<bool()> engineLives)
    : m_limits{std::move(declaredQueues), PayloadRules({})}, m_engineLives(std::move(engineLives))
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
    REDRIVE_ASSIGN(items, freezeScope(cycle.db, request, cycle.nowMs));
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
        request.answer(fail(ErrorKind::Refused, u"the engine is stopping"_s, u"stopping"_s));
    for (const auto& [no, answer] : std::exchange(m_waiting, {}))
        answer(fail(
            ErrorKind::Refused,
            u"the engine stopped before operation %1 was done: the next engine goes on with it"_s.arg(no),
            u"stopping"_s));
}

bool CommandGate::hasWork(qint64, qint64) const
{
    return m_lookAtStore || !m_incoming.empty();
}

std::optional<qint64> CommandGate::nextDeadline() const
{
    return hasWork(0, 0) ? std::optional<qint64>(0) : std::nullopt;
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
        if (row && row->done) {
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
    const int each = std::max(kLeastItems, kItemsPerTurn / std::max(1, int(open.size())));
    int left = kItemsPerTurn;
    bool moreToDo = false;
    for (RedriveRow& redrive : open) {
        const int items = std::min(each, left);
        if (items > 0)
            REDRIVE_TRY(runRedriveSlice(cycle, redrive, items, m_limits.declaredQueues));
        left -= items;
        if (redrive.settled() >= redrive.total) {
            REDRIVE_TRY(auditRedrive(cycle, redrive));
            REDRIVE_ASSIGN(result, resultOf(cycle.db, redrive.no));
            answerAfterCommit(cycle, result);
            continue;
        }
        moreToDo = true;
    }
    cycle.afterCommit.push_back([this, moreToDo] { m_lookAtStore = moreToDo; });
    return {};
}

Status CommandGate::writeIncoming(Cycle& cycle)
{
    std::vector<qint64> numbers;
    for (const Request& request : m_incoming) {
        auto written = write(cycle, request.asked);
        if (!written && written.error().kind != ErrorKind::InvalidInput)
            return fail(written.error());
        if (!written) {
            cycle.afterCommit.push_back(
                [answer = request.answer, error = written.error()] { answer(fail(error)); });
        }
        numbers.push_back(written.value_or(0));
        if (written && *written == 0)
            cycle.afterCommit.push_back([answer = request.answer] { answer(ActionResult{}); });
    }
    cycle.afterCommit.push_back([this, numbers] {
        for (size_t i = 0; i < numbers.size(); ++i)
            if (numbers[i] != 0)
                m_waiting.emplace_back(numbers[i], std::move(m_incoming[i].answer));
        m_incoming.erase(m_incoming.begin(), m_incoming.begin() + qsizetype(numbers.size()));
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
    return ActionResult{redriveNo, row->total, row->succeeded, refused, row->refused, newId};
}

} // namespace redrive
