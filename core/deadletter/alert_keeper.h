// Tells operators: makes alerts of dead letters and notes, and posts them to the configured targets, each
// post with attempts and a schedule of its own, far from the deliveries it may report on. Control thread,
// except where noted.
#pragma once

#include "core/deadletter/alert_form.h"
#include "core/deadletter/alert_verdict.h"
#include "core/store/cycle.h"

#include <functional>
#include <map>
#include <mutex>

namespace redrive {

// Hands one request over; false when nothing is taken any more. The callback comes once, on any thread.
using PostAlert = std::function<bool(HttpRequest, std::function<void(HttpOutcome)>)>;

// A target at which no post arrives.
struct FailingTarget
{
    QString form;
    QString place;
    qint64 sinceMs = 0; // 0: from the start, for a reason of the configuration
    QString error;

    bool operator==(const FailingTarget&) const = default;
};

class AlertKeeper final : public CyclePart
{
public:
    AlertKeeper(const Settings& settings, PostAlert post, std::function<void()> wake);

    // Somebody else may have written letters or alerts.
    void lookAgain() { m_look = true; }
    // What an engine that is gone was posting is posted again. True when nothing is left.
    static Result<bool> recover(Cycle& cycle, qint64 endedInstanceNo);

    void beginStop() { m_stopping = true; }
    bool isIdle() const { return m_inFlight.empty() && !hasOutcomes(); }
    bool hasOutcomes() const;

    // Any thread.
    QList<FailingTarget> failing() const;

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    // After the parts that write letters and notes.
    Status apply(Cycle& cycle) override;
    void storeRefuses(const std::optional<Error>&) override { m_look = true; }
    void rolledBack(const Error&) override;
    std::optional<qint64> nextDeadline() const override { return m_deadlineMs; }

private:
    struct Sending
    {
        qint64 alertNo = 0;
        const PostTarget* target = nullptr;
        int failedBefore = 0;
    };
    struct Claim
    {
        Sending sending;
        HttpRequest request;
    };
    // What this turn did, taken over by its commit.
    struct Turn
    {
        std::vector<quint64> settled;
        std::vector<Claim> claims;
        QStringList refused; // "the failure of a post" lines for the log
        bool more = false;
        bool targetsChanged = false;
        std::optional<qint64> nextWallMs;
        QList<FailingTarget> failing;
    };

    Status work(Cycle& cycle);
    Status load(Cycle& cycle);
    Status record(Cycle& cycle);
    Status recordOne(Cycle& cycle, const Sending& sending, const HttpOutcome& outcome);
    Status postTo(Cycle& cycle, const PostTarget& target);
    Status readFailing(Cycle& cycle);
    Status planAhead(Cycle& cycle);
    bool isBusy(const PostTarget& target) const;
    void commitTurn(qint64 nowMs, qint64 steadyMs);
    void send(Claim claim);
    void take(HttpOutcome outcome); // any thread

    const QList<PostTarget> m_targets;
    const AlertSource m_source;
    const qint64 m_windowMs;
    PostAlert m_post;
    std::function<void()> m_wake;

    mutable std::mutex m_mutex;       // guards the next two
    std::vector<HttpOutcome> m_inbox; // not yet looked at
    QList<FailingTarget> m_failing;

    std::vector<HttpOutcome> m_outcomes; // taken from the inbox, not yet committed
    std::map<quint64, Sending> m_inFlight;
    Turn m_turn;
    bool m_loaded = false;
    bool m_look = true;
    bool m_stopping = false;
    std::optional<qint64> m_deadlineMs; // steady
    qint64 m_putOffUntilMs = 0;         // steady: the database refused what was to be written
};

} // namespace redrive
