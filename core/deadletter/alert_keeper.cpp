#include "core/deadletter/alert_keeper.h"

#include "core/base/log.h"
#include "core/deadletter/alert_grouping.h"
#include "core/store/alert_post_store.h"
#include "core/store/alert_store.h"
#include "core/store/lone_change.h"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace redrive {

namespace {

constexpr int kPostsMade = 100;                // for one target in one turn
constexpr int kGivenBack = 500;                // in one turn
constexpr qint64 kWorthTellingMs = 86'400'000; // an alert that no engine could post until then is old news
constexpr qint64 kPutOffMs = 10'000;
constexpr qsizetype kSecretPath = 16; // a shorter path of a URL is no password

// Between those of deliveries, which begin at 1, and those of tests.
quint64 nextToken()
{
    static std::atomic<quint64> next = quint64(1) << 61;
    return next++;
}

std::optional<qint64> earlier(std::optional<qint64> a, std::optional<qint64> b)
{
    return a && b ? std::min(*a, *b) : a ? a : b;
}

} // namespace

AlertKeeper::AlertKeeper(const Settings& settings, PostAlert post, std::function<void()> wake)
    : m_targets(postTargets(settings)), m_source(alertSource(settings)), m_windowMs(settings.alerts.windowMs),
      m_post(std::move(post)), m_wake(std::move(wake))
{
    for (const PostTarget& target : m_targets) {
        const QString path = target.url.section(u'/', 3);
        if (path.size() >= kSecretPath)
            maskInLog(path);
        maskInLog(QString::fromUtf8(target.key));
    }
}

Result<bool> AlertKeeper::recover(Cycle& cycle, qint64 endedInstanceNo)
{
    REDRIVE_ASSIGN(count, alert_post_store::giveBack(cycle, endedInstanceNo, kGivenBack));
    return count < kGivenBack;
}

bool AlertKeeper::hasOutcomes() const
{
    std::lock_guard lock(m_mutex);
    return !m_outcomes.empty() || !m_inbox.empty();
}

QList<FailingTarget> AlertKeeper::failing() const
{
    std::lock_guard lock(m_mutex);
    return m_failing;
}

void AlertKeeper::take(HttpOutcome outcome)
{
    {
        std::lock_guard lock(m_mutex);
        m_inbox.push_back(std::move(outcome));
    }
    m_wake();
}

bool AlertKeeper::hasWork(qint64, qint64 steadyMs) const
{
    if (steadyMs < m_putOffUntilMs)
        return false;
    return m_look || hasOutcomes() || (m_deadlineMs && *m_deadlineMs <= steadyMs);
}

Status AlertKeeper::apply(Cycle& cycle)
{
    m_turn = {};
    if (cycle.recordsOnly || cycle.steadyMs < m_putOffUntilMs)
        return {};
    if (!cycle.changes.letters && !cycle.changes.alerts && !hasWork(cycle.nowMs, cycle.steadyMs))
        return {};
    const Status done = changeAlone(cycle, [&] { return work(cycle); });
    if (!done && concernsTheStore(done.error()))
        return done;
    if (!done) { // never at the cost of the work that the turn is about
        m_turn = {};
        logEvent(LogLevel::Error, "alerts_not_written", {{"error", done.error().text()}});
        m_putOffUntilMs = cycle.steadyMs + kPutOffMs;
        m_deadlineMs = m_putOffUntilMs;
        return {};
    }
    cycle.afterCommit.push_back(
        [this, nowMs = cycle.nowMs, steadyMs = cycle.steadyMs] { commitTurn(nowMs, steadyMs); });
    return {};
}

Status AlertKeeper::work(Cycle& cycle)
{
    if (!m_loaded)
        REDRIVE_TRY(load(cycle));
    REDRIVE_TRY(record(cycle));
    REDRIVE_ASSIGN(more, alert_grouping::work(cycle, m_windowMs));
    m_turn.more = more;
    for (const PostTarget& target : m_targets)
        if (target.problem.isEmpty())
            REDRIVE_TRY(postTo(cycle, target));
    m_turn.targetsChanged = m_turn.targetsChanged || m_look; // by another engine
    if (m_turn.targetsChanged)
        REDRIVE_TRY(readFailing(cycle));
    return planAhead(cycle);
}

Status AlertKeeper::load(Cycle& cycle)
{
    for (const PostTarget& target : m_targets)
        REDRIVE_TRY(alert_post_store::keepTarget(cycle, target.row()));
    m_turn.targetsChanged = true;
    return alert_post_store::giveUpOlder(cycle, cycle.nowMs - kWorthTellingMs);
}

Status AlertKeeper::record(Cycle& cycle)
{
    {
        std::lock_guard lock(m_mutex);
        std::move(m_inbox.begin(), m_inbox.end(), std::back_inserter(m_outcomes));
        m_inbox.clear();
    }
    for (const HttpOutcome& outcome : m_outcomes) {
        const auto sending = m_inFlight.find(outcome.token);
        if (sending == m_inFlight.end())
            continue;
        REDRIVE_TRY(recordOne(cycle, sending->second, outcome));
        m_turn.settled.push_back(outcome.token);
    }
    return {};
}

Status AlertKeeper::recordOne(Cycle& cycle, const Sending& sending, const HttpOutcome& outcome)
{
    const PostTarget& target = *sending.target;
    const PostVerdict verdict = postVerdict(outcome, target, sending.failedBefore, cycle.nowMs);
    if (verdict.kind == PostVerdict::Interrupted)
        return alert_post_store::giveBack(cycle, sending.alertNo, target.id);
    m_turn.targetsChanged = true;
    if (verdict.kind == PostVerdict::Arrived) {
        REDRIVE_TRY(alert_post_store::sent(cycle, sending.alertNo, target.id));
        return {};
    }
    std::optional<qint64> dueAtMs;
    if (verdict.kind == PostVerdict::Again)
        dueAtMs = cycle.nowMs + verdict.waitMs;
    REDRIVE_TRY(alert_post_store::failed(cycle, sending.alertNo, target.id, verdict.words, dueAtMs));
    m_turn.refused.append(u"%1 %2: %3"_s.arg(toText(target.form), target.place, verdict.words));
    return {};
}

bool AlertKeeper::isBusy(const PostTarget& target) const
{
    return std::any_of(m_inFlight.begin(), m_inFlight.end(), [&](const auto& each) {
        const auto& settled = m_turn.settled;
        return each.second.target == &target &&
               std::find(settled.begin(), settled.end(), each.first) == settled.end();
    });
}

// One at a time, so that a target gets its alerts in order and one that hangs takes one connection.
Status AlertKeeper::postTo(Cycle& cycle, const PostTarget& target)
{
    REDRIVE_ASSIGN(made,
                   alert_post_store::makePosts(cycle, target.id, cycle.nowMs - kWorthTellingMs, kPostsMade));
    m_turn.more = m_turn.more || made == kPostsMade;
    if (m_stopping || isBusy(target))
        return {};
    REDRIVE_ASSIGN(post, alert_post_store::due(cycle, target.id));
    if (!post)
        return {};
    REDRIVE_ASSIGN(alert, alert_store::alert(cycle.db, post->alertNo));
    if (!alert) // retention took it
        return alert_post_store::giveUpOlder(cycle, cycle.nowMs - kWorthTellingMs);
    REDRIVE_TRY(alert_post_store::begin(cycle, post->alertNo, target.id));
    m_turn.claims.push_back(
        {{post->alertNo, &target, post->attempts}, alertRequest(target, *alert, m_source)});
    return {};
}

Status AlertKeeper::readFailing(Cycle& cycle)
{
    for (const PostTarget& target : m_targets) {
        if (!target.problem.isEmpty()) {
            m_turn.failing.append({toText(target.form), target.place, 0, target.problem});
            continue;
        }
        REDRIVE_ASSIGN(row, alert_post_store::target(cycle.db, target.id));
        if (row && row->failingSinceMs)
            m_turn.failing.append({row->form, row->place, *row->failingSinceMs, row->lastError});
    }
    return {};
}

Status AlertKeeper::planAhead(Cycle& cycle)
{
    REDRIVE_ASSIGN(next, alert_store::nextEndMs(cycle.db));
    m_turn.nextWallMs = next;
    for (const PostTarget& target : m_targets) {
        const bool posts = std::any_of(m_turn.claims.begin(), m_turn.claims.end(),
                                       [&](const Claim& claim) { return claim.sending.target == &target; });
        if (m_stopping || posts || isBusy(target) || !target.problem.isEmpty())
            continue; // its outcome makes a turn
        REDRIVE_ASSIGN(due, alert_post_store::nextDueMs(cycle.db, target.id));
        m_turn.nextWallMs = earlier(m_turn.nextWallMs, due);
    }
    return {};
}

void AlertKeeper::commitTurn(qint64 nowMs, qint64 steadyMs)
{
    for (const quint64 token : m_turn.settled)
        m_inFlight.erase(token);
    {
        std::lock_guard lock(m_mutex);
        m_outcomes.clear();
        if (m_turn.targetsChanged)
            m_failing = m_turn.failing;
    }
    for (const QString& words : std::as_const(m_turn.refused))
        logEvent(LogLevel::Warning, "alert_not_posted", {{"target", words}});
    m_loaded = true;
    m_look = m_turn.more;
    m_deadlineMs.reset();
    if (m_turn.more)
        m_deadlineMs = steadyMs;
    else if (m_turn.nextWallMs)
        m_deadlineMs = steadyMs + std::max<qint64>(0, *m_turn.nextWallMs - nowMs);
    for (Claim& claim : std::exchange(m_turn, {}).claims)
        send(std::move(claim));
}

void AlertKeeper::send(Claim claim)
{
    const quint64 token = nextToken();
    claim.request.token = token;
    m_inFlight.emplace(token, claim.sending);
    if (m_post(std::move(claim.request), [this](HttpOutcome outcome) { take(std::move(outcome)); }))
        return;
    HttpOutcome stopped;
    stopped.token = token;
    stopped.errorCode = u"cancelled"_s;
    take(std::move(stopped));
}

void AlertKeeper::rolledBack(const Error&)
{
    m_turn = {};
    m_look = true;
}

} // namespace redrive
