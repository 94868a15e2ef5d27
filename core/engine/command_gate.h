// The one gate for operator actions. A request becomes a redrive with a frozen set of items, executed in
// slices of at most 100 items a turn; every item is judged and changed in the same transaction as its result,
// so that a kill in the middle or asking twice moves each thing once. Redrives that other processes wrote are
// executed as well. Control thread, or a command-line process alone; plan() any thread.
#pragma once

#include "core/engine/action_plan.h"
#include "core/store/redrive_store.h"

namespace redrive {

class CommandGate final : public CyclePart
{
public:
    static constexpr int kItemsPerTurn = 100;
    static constexpr int kRefusedShown = 100;
    // How often outcomes are looked for that nobody told of.
    static constexpr qint64 kLookMs = 1'000;
    static constexpr int kLookedAtOnce = 500;

    using Answer = std::function<void(Result<ActionResult>)>;

    // `engineLives`: for a process that leaves the execution to another one's engine; says whether there is
    // any. Empty: executes here.
    explicit CommandGate(QStringList declaredQueues, std::function<bool()> engineLives = {});
    // Before the first request: without it only the queues are known.
    void setLimits(ActionLimits limits) { m_limits = std::move(limits); }

    // What the request would do now. Changes nothing.
    Result<ActionPlan> plan(Connection& db, const ActionRequest& request, qint64 nowMs) const;

    // Freezes and writes the request in the next turn; answers when every item is settled, or the redrive was
    // stopped or taken back; one with a pace at once, when it is written.
    void submit(ActionRequest request, Answer answer);
    // Inside a turn: freezes and writes the request, executed by whoever applies the gate next. Its number;
    // 0: nothing matched, nothing is written.
    Result<qint64> write(Cycle& cycle, const ActionRequest& request) const;
    // Answers what still waits: no turn follows any more.
    void refuseWaiting();
    bool hasIncoming() const { return !m_incoming.empty(); }
    // Another process, or an earlier life of this one, may have left open redrives.
    void lookAtStore() { m_lookAtStore = true; }
    // After the commit of a turn in which outcomes were noted: what waited for them may go on.
    void outcomesNoted() { m_lookAtStore = m_lookAtStore || m_awaitsOutcomes; }
    // For a process that is no engine: what has a pace is left to one, because outcomes come only there.
    void leavePacedToEngines() { m_leavesPaced = true; }

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void rolledBack(const Error& error) override;
    void storeRefuses(const std::optional<Error>& why) override;
    std::optional<qint64> nextDeadline() const override;

    static Result<ActionResult> resultOf(Connection& db, qint64 redriveNo);

private:
    struct Request
    {
        ActionRequest asked;
        Answer answer;
    };

    Status writeIncoming(Cycle& cycle);
    struct Outlook
    {
        bool moreNow = false;
        bool awaitsOutcomes = false;
        std::optional<qint64> nextAtMs; // steady
    };
    Status execute(Cycle& cycle);
    Status executeOne(Cycle& cycle, RedriveRow& redrive, int items, Outlook& outlook);
    Status endOne(Cycle& cycle, const RedriveRow& redrive);
    Status answerStopped(Cycle& cycle, const QList<RedriveRow>& open);
    Status followEngine(Cycle& cycle);
    void refuseIncoming(Cycle& cycle);
    void answerIncoming(const Error& error);
    void answerAfterCommit(Cycle& cycle, const ActionResult& result);

    ActionLimits m_limits;
    std::function<bool()> m_engineLives;
    std::vector<Request> m_incoming;                  // not yet in the store
    std::vector<std::pair<qint64, Answer>> m_waiting; // in the store, by number
    bool m_lookAtStore = true;
    bool m_leavesPaced = false;
    bool m_awaitsOutcomes = false;
    std::optional<qint64> m_nextAtMs; // steady
    QHash<qint64, int> m_lookedAt;    // the last item of each whose outcome was looked for
};

} // namespace redrive
