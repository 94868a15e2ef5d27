#include "core/engine/command_gate.h"

#include "core/base/log.h"
#include "core/db/savepoint.h"
#include "core/deadletter/action_rules.h"
#include "core/deadletter/queue_action.h"
#include "core/store/action_scope.h"
#include "core/store/audit_store.h"
#include "core/webhooks/replay.h"

#include <QMap>

namespace redrive {

namespace {

constexpr int kLeastItems = 10; // of one redrive in a turn, however many are open
constexpr int kSampleIds = 10;

bool isQueueVerb(ActionVerb verb)
{
    return verb == ActionVerb::PauseQueue || verb == ActionVerb::ResumeQueue;
}

// Nothing that another item could do better; all else is this item's own trouble and stops no other.
bool concernsTheStore(const Error& error)
{
    return error.retryable() || error.kind == ErrorKind::ReadOnly || error.kind == ErrorKind::Corrupt ||
           error.kind == ErrorKind::Cancelled;
}

Status checkRequest(const ActionRequest& request)
{
    const ActionScope& scope = request.scope;
    if (isQueueVerb(request.verb))
        return scope.queue.isEmpty() ? Status(fail(ErrorKind::InvalidInput, u"name a queue"_s)) : Status();
    if (scope.matching != scope.ids.isEmpty())
        return fail(ErrorKind::InvalidInput, u"name ids or a filter, not both"_s);
    return {};
}

} // namespace

CommandGate::CommandGate(QStringList declaredQueues) : m_declaredQueues(std::move(declaredQueues)) {}

Result<ActionPlan> CommandGate::plan(Connection& db, const ActionRequest& request, qint64 nowMs) const
{
    REDRIVE_TRY(checkRequest(request));
    REDRIVE_ASSIGN(items, freezeScope(db, request));
    ActionPlan plan;
    plan.total = int(items.size());
    QMap<QString, int> skipped;
    for (const QString& item : items) {
        REDRIVE_ASSIGN(refusal, judge(db, request, item, nowMs));
        if (!refusal.isEmpty()) {
            ++skipped[refusal];
            continue;
        }
        ++plan.willAct;
        if (plan.sampleIds.size() < kSampleIds)
            plan.sampleIds.append(item);
    }
    for (auto it = skipped.cbegin(); it != skipped.cend(); ++it)
        plan.skipped.append({it.key(), it.value()});
    return plan;
}

Result<QString> CommandGate::judge(Connection& db, const ActionRequest& request, const QString& item,
                                   qint64 nowMs) const
{
    if (isQueueVerb(request.verb))
        return queueRefusal(db, request.verb, item, m_declaredQueues);
    REDRIVE_ASSIGN(subject, readActionSubject(db, item));
    const QString refusal = refusalOf(request.verb, subject, request.scope.queue, nowMs);
    const bool sendsAgain = request.verb == ActionVerb::Replay || request.verb == ActionVerb::Requeue;
    if (refusal.isEmpty() && sendsAgain && subject.delivery)
        return replayRefusal(db, item);
    return refusal;
}

void CommandGate::submit(ActionRequest request, Answer answer)
{
    m_incoming.push_back({std::move(request), std::move(answer)});
}

Result<qint64> CommandGate::write(Cycle& cycle, const ActionRequest& request) const
{
    REDRIVE_TRY(checkRequest(request));
    REDRIVE_ASSIGN(items, freezeScope(cycle.db, request));
    if (items.isEmpty())
        return 0;
    const QString otherQueue = request.verb == ActionVerb::Requeue ? request.scope.queue : QString();
    REDRIVE_ASSIGN(no, redrive_store::insert(cycle, {request.verb, scopeWords(request.scope), otherQueue,
                                                     request.actor, request.source, request.reason}));
    int itemNo = 0;
    for (const QString& item : items)
        REDRIVE_TRY(redrive_store::addItem(cycle, no, ++itemNo, item));
    REDRIVE_TRY(redrive_store::setTotal(cycle, no, itemNo));
    return no;
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
    REDRIVE_TRY(writeIncoming(cycle));
    REDRIVE_ASSIGN(open, redrive_store::open(cycle.db));
    const int each = std::max(kLeastItems, kItemsPerTurn / std::max(1, int(open.size())));
    int left = kItemsPerTurn;
    bool moreToDo = false;
    for (RedriveRow& redrive : open) {
        const int items = std::min(each, left);
        if (items > 0) {
            REDRIVE_ASSIGN(done, runSlice(cycle, redrive, items));
            left -= items;
            if (done) {
                REDRIVE_TRY(finish(cycle, redrive));
                continue;
            }
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

Result<bool> CommandGate::runSlice(Cycle& cycle, RedriveRow& redrive, int items) const
{
    REDRIVE_ASSIGN(ids, redrive_store::nextItems(cycle.db, redrive, items));
    for (const QString& id : ids) {
        REDRIVE_ASSIGN(refusal, actAlone(cycle, redrive, id));
        REDRIVE_TRY(redrive_store::settleItem(cycle, redrive.no, redrive.settled() + 1, refusal));
        ++(refusal.isEmpty() ? redrive.succeeded : redrive.refused);
    }
    REDRIVE_TRY(redrive_store::saveProgress(cycle, redrive));
    return redrive.settled() >= redrive.total;
}

Result<QString> CommandGate::actAlone(Cycle& cycle, const RedriveRow& redrive, const QString& item) const
{
    const size_t followUps = cycle.afterCommit.size();
    REDRIVE_ASSIGN(part, Savepoint::begin(cycle.db));
    auto refusal = act(cycle, redrive, item);
    if (!refusal) {
        if (concernsTheStore(refusal.error()))
            return refusal;
        cycle.afterCommit.resize(followUps);
        return u"the database refused the change: "_s + refusal.error().text();
    }
    REDRIVE_TRY(part.release());
    return refusal;
}

Result<QString> CommandGate::act(Cycle& cycle, const RedriveRow& redrive, const QString& item) const
{
    if (isQueueVerb(redrive.asked.verb))
        return actOnQueue(cycle, redrive.asked.verb, item, redrive.asked.actor, m_declaredQueues);
    return actOnItem(cycle, redrive.asked.verb, item, redrive.asked.queue, replayDelivery);
}

Status CommandGate::finish(Cycle& cycle, const RedriveRow& redrive)
{
    const QString words = redrive.refused == 0
                              ? u"%1 done"_s.arg(redrive.succeeded)
                              : u"%1 done, %2 refused"_s.arg(redrive.succeeded).arg(redrive.refused);
    const NewRedrive& asked = redrive.asked;
    REDRIVE_TRY(audit_store::add(cycle, {asked.actor, asked.source, toText(asked.verb), asked.scope,
                                         redrive.succeeded, redrive.no, asked.reason, words}));
    REDRIVE_ASSIGN(result, resultOf(cycle.db, redrive.no));
    cycle.afterCommit.push_back([this, asked, words, result] {
        logEvent(LogLevel::Notice, "operator_action",
                 {{"verb", toText(asked.verb)},
                  {"target", asked.scope},
                  {"actor", asked.actor},
                  {"source", asked.source},
                  {"result", words}});
        const auto waiting = std::find_if(m_waiting.begin(), m_waiting.end(),
                                          [&](const auto& one) { return one.first == result.redriveNo; });
        if (waiting == m_waiting.end())
            return;
        const Answer answer = std::move(waiting->second);
        m_waiting.erase(waiting);
        answer(result);
    });
    return {};
}

void CommandGate::rolledBack(const Error& error)
{
    if (error.kind == ErrorKind::Busy)
        return; // tried again
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
    return ActionResult{redriveNo, row->total, row->succeeded, refused, row->refused};
}

} // namespace redrive
