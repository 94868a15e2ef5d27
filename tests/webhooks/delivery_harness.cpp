#include "tests/webhooks/delivery_harness.h"

#include "core/base/ids.h"
#include "core/db/transaction.h"
#include "core/webhooks/recovery.h"

#include <QTest>

namespace redrive::test {

DeliveryHarness::DeliveryHarness(Settings settings, int maxInFlight)
    : m_settings(std::move(settings)), m_maxInFlight(maxInFlight)
{
    startEngine();
    begin({});
}

DeliveryHarness::~DeliveryHarness()
{
    m_sender->stop(0);
}

void DeliveryHarness::startEngine()
{
    ++m_instanceNo;
    m_registry = std::make_unique<EndpointRegistry>(m_settings);
    HttpSenderOptions options;
    options.guard = TargetGuard::make({}, true).value();
    m_sender = std::make_unique<HttpSender>(std::move(options));
    DispatcherParts parts{*m_registry, m_settings.backoff, {}, {}, {}, m_maxInFlight};
    parts.send = [this](std::vector<HttpRequest> requests) {
        for (HttpRequest& request : requests) {
            if (requestTimeoutMs > 0)
                request.totalTimeoutMs = requestTimeoutMs;
        }
        if (holdBack) {
            std::move(requests.begin(), requests.end(), std::back_inserter(heldBack));
            return true;
        }
        return m_sender->send(std::move(requests));
    };
    parts.wake = [this] {
        std::lock_guard lock(m_mutex);
        m_woken = true;
        m_wake.notify_all();
    };
    parts.random = [this] { return random; };
    m_dispatcher = std::make_unique<DeliveryDispatcher>(std::move(parts));
    m_registry->setSecretSource([this](const QString& name) {
        return m_kept.contains(name) ? m_kept.value(name) : m_settings.secrets.value(name);
    });
    EndpointKeeperParts keeperParts{*m_registry, [this] { m_dispatcher->endpointsChanged(); }, {}, {}, {}};
    keeperParts.keepSecret = [this](const QString& name, const QByteArray& value) -> Status {
        if (!keepsSecrets)
            return fail(ErrorKind::Refused, u"nothing keeps it"_s);
        m_kept.insert(name, value);
        return {};
    };
    m_keeper = std::make_unique<EndpointKeeper>(std::move(keeperParts));
    m_fanOut = std::make_unique<FanOutHandler>(m_settings, *m_registry, m_dispatcher.get());
    m_sender->setResultSink(
        [this](std::vector<HttpOutcome> outcomes) { m_dispatcher->take(std::move(outcomes)); });
    m_sender->start();
}

void DeliveryHarness::crash()
{
    m_sender->stop(0);
    heldBack.clear();
    startEngine();
    begin([this](Cycle& cycle) -> Status {
        REDRIVE_TRY(recoverInterrupted(cycle, m_instanceNo - 1));
        return {};
    });
}

void DeliveryHarness::begin(const std::function<Status(Cycle&)>& first)
{
    const Status begun = turn([&](Cycle& cycle) -> Status {
        if (first)
            REDRIVE_TRY(first(cycle));
        return m_keeper->begin(cycle, m_settings.endpoints);
    });
    if (!begun)
        QTest::qFail(qPrintable(begun.error().text()), __FILE__, __LINE__);
}

Result<EndpointChanged> DeliveryHarness::change(EndpointChange asked)
{
    Result<EndpointChanged> changed = fail(ErrorKind::Internal, u"not answered"_s);
    asked.keepOpen = true;
    m_keeper->submit(asked, [&](Result<EndpointChanged> result) { changed = std::move(result); });
    const Status done = turn();
    return done ? changed : fail(done.error());
}

Result<EndpointChanged> DeliveryHarness::change(EndpointVerb verb, const QString& id)
{
    EndpointChange asked;
    asked.verb = verb;
    asked.id = id;
    return change(asked);
}

void DeliveryHarness::restart(Settings settings)
{
    m_settings = std::move(settings);
    crash();
}

Status DeliveryHarness::turn(const std::function<Status(Cycle&)>& first, bool failing)
{
    REDRIVE_ASSIGN(transaction, Transaction::begin(store.db()));
    Cycle cycle(store.db());
    cycle.nowMs = clock.wallMs();
    cycle.steadyMs = clock.steadyMs();
    cycle.bootMs = clock.bootMs();
    cycle.instanceNo = m_instanceNo;
    m_dispatcher->turnBegins();
    if (first)
        REDRIVE_TRY(first(cycle));
    if (m_keeper->hasWork(cycle.nowMs, cycle.steadyMs))
        REDRIVE_TRY(m_keeper->apply(cycle));
    if (const Status applied = m_dispatcher->apply(cycle); !applied) {
        m_dispatcher->rolledBack(applied.error());
        return applied;
    }
    if (failing) {
        const Error error{ErrorKind::Busy, u"made to fail"_s, {}, {}};
        m_dispatcher->rolledBack(error);
        return fail(error);
    }
    REDRIVE_TRY(transaction.commit());
    for (const auto& follow : cycle.afterCommit)
        follow();
    return {};
}

HandlerOutcome DeliveryHarness::runFanOut(Cycle& cycle, const QByteArray& payload, const QString& jobId,
                                          int run)
{
    ClaimedJob job;
    job.id = jobId;
    job.type = u"webhook_fanout"_s;
    job.queue = u"jobs"_s;
    job.payload = payload;
    job.run = run;
    job.maxRetries = maxRetries;
    job.createdAtMs = cycle.nowMs;
    const auto outcome = m_fanOut->run(job, cycle);
    if (!outcome)
        QTest::qFail(qPrintable(outcome.error().text()), __FILE__, __LINE__);
    return outcome.value_or(HandlerOutcome{});
}

QString DeliveryHarness::fanOut(const QByteArray& payload, const QString& jobId)
{
    const QString id = jobId.isEmpty() ? newId(clock.wallMs()) : jobId;
    const Status made = turn([&](Cycle& cycle) -> Status {
        const HandlerOutcome outcome = runFanOut(cycle, payload, id);
        if (outcome.result != HandlerResult::Done)
            QTest::qFail(qPrintable(outcome.error), __FILE__, __LINE__);
        return {};
    });
    if (!made)
        QTest::qFail(qPrintable(made.error().text()), __FILE__, __LINE__);
    return id;
}

bool DeliveryHarness::recordNext(int timeoutMs)
{
    {
        std::unique_lock lock(m_mutex);
        if (!m_wake.wait_for(lock, std::chrono::milliseconds(timeoutMs), [this] { return m_woken; }))
            return false;
        m_woken = false;
    }
    const Status done = turn();
    if (!done)
        QTest::qFail(qPrintable(done.error().text()), __FILE__, __LINE__);
    return bool(done);
}

bool DeliveryHarness::drain(int timeoutMs)
{
    while (!m_dispatcher->isIdle()) {
        if (!recordNext(timeoutMs))
            return false;
    }
    return true;
}

void DeliveryHarness::answerHeld(int status, const QString& urlEnd)
{
    HttpOutcome outcome;
    outcome.outcome = HttpOutcome::Class::Answered;
    outcome.status = status;
    endHeld(outcome, urlEnd);
}

void DeliveryHarness::endHeld(const HttpOutcome& outcome, const QString& urlEnd)
{
    std::vector<HttpOutcome> outcomes;
    std::erase_if(heldBack, [&](const HttpRequest& request) {
        if (!request.url.endsWith(urlEnd))
            return false;
        outcomes.push_back(outcome);
        outcomes.back().token = request.token;
        return true;
    });
    m_dispatcher->take(std::move(outcomes));
    advance(0);
}

int DeliveryHarness::heldBackOf(const QString& urlEnd) const
{
    return int(std::count_if(heldBack.begin(), heldBack.end(),
                             [&](const HttpRequest& request) { return request.url.endsWith(urlEnd); }));
}

void DeliveryHarness::advance(qint64 ms)
{
    clock.advance(ms);
    while (m_dispatcher->hasWork(clock.wallMs(), clock.steadyMs())) {
        if (const Status done = turn(); !done) {
            QTest::qFail(qPrintable(done.error().text()), __FILE__, __LINE__);
            return;
        }
    }
}

qint64 DeliveryHarness::number(const QString& sql) const
{
    return const_cast<TestStore&>(store).number(sql);
}

QString DeliveryHarness::text(const QString& sql) const
{
    return const_cast<TestStore&>(store).text(sql);
}

QString DeliveryHarness::statusOf(const QString& endpointId) const
{
    return text(
        u"SELECT status FROM webhook_deliveries WHERE endpoint_id = '%1' ORDER BY id DESC"_s.arg(endpointId));
}

QString DeliveryHarness::idOf(const QString& endpointId) const
{
    return text(
        u"SELECT id FROM webhook_deliveries WHERE endpoint_id = '%1' ORDER BY id DESC"_s.arg(endpointId));
}

QByteArray fanOutPayload(const std::vector<std::pair<QString, QString>>& endpoints)
{
    QByteArray list;
    for (const auto& [id, url] : endpoints)
        list += QByteArray(list.isEmpty() ? "{" : ",{") + R"("id":")" + id.toUtf8() + R"(","url":")" +
                url.toUtf8() + "\"}";
    return R"({"eventType":"a.b","eventData":{"n":1},"endpoints":[)" + list + "]}";
}

} // namespace redrive::test
