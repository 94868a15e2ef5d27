#include "tests/ui/support/fake_engine.h"

namespace redrive::test {

FakeEngine::FakeEngine()
{
    m_health.running = true;
    for (const ListKind kind : {ListKind::Jobs, ListKind::Timers, ListKind::DeadLetters, ListKind::Bin,
                                ListKind::Deliveries, ListKind::Telemetry})
        m_lists[kind] = {};
    setJobs({});
    setTimers({});
    setLetters(ListKind::DeadLetters, {});
    setLetters(ListKind::Bin, {});
    setDeliveries({});
    setActivity({});
    setTelemetry({});
    m_thread = std::thread([this] { run(); });
}

FakeEngine::~FakeEngine()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void FakeEngine::run()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_stopping || (!m_held && !m_tasks.empty()); });
        if (m_stopping)
            return;
        const auto task = std::move(m_tasks.front());
        m_tasks.pop_front();
        lock.unlock();
        task();
        lock.lock();
    }
}

void FakeEngine::later(std::function<void()> task)
{
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_wake.notify_all();
}

void FakeEngine::hold()
{
    const std::lock_guard lock(m_mutex);
    m_held = true;
}

void FakeEngine::release()
{
    {
        const std::lock_guard lock(m_mutex);
        m_held = false;
    }
    m_wake.notify_all();
}

void FakeEngine::setRows(ListKind kind, std::vector<qint64> keys,
                         std::function<ListRows(const std::vector<qint64>&)> rows)
{
    const std::lock_guard lock(m_mutex);
    m_lists[kind] = {std::move(keys), std::move(rows)};
}

void FakeEngine::setKeys(ListKind kind, std::vector<qint64> keys)
{
    const std::lock_guard lock(m_mutex);
    m_lists[kind].keys = std::move(keys);
}

template <typename Row>
void FakeEngine::setTable(ListKind kind, const QList<Row>& rows)
{
    std::vector<qint64> keys;
    QHash<qint64, Row> byKey;
    for (const Row& row : rows) {
        keys.push_back(row.key);
        byKey.insert(row.key, row);
    }
    setRows(kind, std::move(keys), [byKey](const std::vector<qint64>& wanted) -> ListRows {
        QList<Row> found;
        for (const qint64 key : wanted)
            if (const auto it = byKey.constFind(key); it != byKey.cend())
                found.append(*it);
        return found;
    });
}

void FakeEngine::setJobs(const QList<JobRow>& jobs)
{
    setTable(ListKind::Jobs, jobs);
}

void FakeEngine::setLetters(ListKind kind, const QList<LetterRow>& letters)
{
    setTable(kind, letters);
}

void FakeEngine::setDeliveries(const QList<DeliveryRow>& deliveries)
{
    setTable(ListKind::Deliveries, deliveries);
}

void FakeEngine::setTimers(const QList<TimerRow>& timers)
{
    setTable(ListKind::Timers, timers);
}

void FakeEngine::setActivity(const QList<ActivityRow>& rows)
{
    setTable(ListKind::Activity, rows);
}

void FakeEngine::setTelemetry(const QList<TelemetryRow>& rows)
{
    setTable(ListKind::Telemetry, rows);
    const std::lock_guard lock(m_mutex);
    m_telemetryPayloads.clear();
    for (const TelemetryRow& row : rows)
        m_telemetryPayloads.insert(row.key, row.payload.toUtf8());
}

#define REDRIVE_FAKE_SETTER(name, type, member)                                                              \
    void FakeEngine::name(type value)                                                                        \
    {                                                                                                        \
        const std::lock_guard lock(m_mutex);                                                                 \
        member = std::move(value);                                                                           \
    }
REDRIVE_FAKE_SETTER(setCounts, StoreCounts, m_counts)
REDRIVE_FAKE_SETTER(setHealth, EngineHealth, m_health)
REDRIVE_FAKE_SETTER(setRedrives, QList<RedriveInfo>, m_redrives)
REDRIVE_FAKE_SETTER(setTelemetryMinutes, Result<TelemetryMinutes>, m_telemetryMinutes)
REDRIVE_FAKE_SETTER(setTokens, QList<TokenRow>, m_tokens)
REDRIVE_FAKE_SETTER(setTokenChanged, Result<TokenChanged>, m_tokenChanged)
REDRIVE_FAKE_SETTER(setExported, Result<ExportDone>, m_exported)
REDRIVE_FAKE_SETTER(setMatrix, Result<DeliveryMatrix>, m_matrix)
REDRIVE_FAKE_SETTER(setEndpoints, QList<EndpointDetail>, m_endpoints)
REDRIVE_FAKE_SETTER(setEndpointChanged, Result<EndpointChanged>, m_endpointChanged)
REDRIVE_FAKE_SETTER(setEndpointTested, Result<DeliveryAttempt>, m_endpointTested)
REDRIVE_FAKE_SETTER(setInstances, QList<InstanceInfo>, m_instances)
REDRIVE_FAKE_SETTER(setFacts, EngineFacts, m_facts)
REDRIVE_FAKE_SETTER(setActivityDetail, ActivityDetail, m_activityDetail)
REDRIVE_FAKE_SETTER(setAlertTargets, QList<AlertTargetRow>, m_alertTargets)
REDRIVE_FAKE_SETTER(setAlertTested, Result<AlertTestResult>, m_alertTested)
REDRIVE_FAKE_SETTER(setAlerts, QList<Alert>, m_alerts)
REDRIVE_FAKE_SETTER(setPlan, ActionPlan, m_plan)
REDRIVE_FAKE_SETTER(setActionResult, ActionResult, m_result)
REDRIVE_FAKE_SETTER(setListError, std::optional<Error>, m_listError)
REDRIVE_FAKE_SETTER(setJobDetail, JobDetail, m_jobDetail)
REDRIVE_FAKE_SETTER(setDeliveryDetail, DeliveryDetail, m_deliveryDetail)
REDRIVE_FAKE_SETTER(setLetterDetail, LetterDetail, m_letterDetail)
REDRIVE_FAKE_SETTER(setPayload, QByteArray, m_payload)
REDRIVE_FAKE_SETTER(setSliceSize, size_t, m_sliceSize)
#undef REDRIVE_FAKE_SETTER

#define REDRIVE_FAKE_GETTER(name, type, expression)                                                          \
    type FakeEngine::name() const                                                                            \
    {                                                                                                        \
        const std::lock_guard lock(m_mutex);                                                                 \
        return expression;                                                                                   \
    }
REDRIVE_FAKE_GETTER(listRequests, QList<ListRequest>, m_listRequests)
REDRIVE_FAKE_GETTER(fetches, std::vector<std::vector<qint64>>, m_fetches)
REDRIVE_FAKE_GETTER(actions, QList<ActionRequest>, m_actions)
REDRIVE_FAKE_GETTER(orders, QList<RedriveOrder>, m_orders)
REDRIVE_FAKE_GETTER(plans, QList<ActionRequest>, m_plans)
REDRIVE_FAKE_GETTER(submitted, QList<SubmitRequest>, m_submitted)
REDRIVE_FAKE_GETTER(countsAsked, int, m_countsAsked)
REDRIVE_FAKE_GETTER(closedLists, QStringList, m_closedLists)
REDRIVE_FAKE_GETTER(alertTests, QStringList, m_alertTests)
REDRIVE_FAKE_GETTER(minutesAsked, FakeEngine::MinutesAsked, m_minutesAsked)
REDRIVE_FAKE_GETTER(subscribers, int, int(m_subscribers.size()))
REDRIVE_FAKE_GETTER(health, EngineHealth, m_health)
#undef REDRIVE_FAKE_GETTER

void FakeEngine::announce(const ChangeSet& changes)
{
    later([this, changes] {
        std::map<int, std::function<void(const ChangeSet&)>> listeners;
        {
            const std::lock_guard lock(m_mutex);
            listeners = m_subscribers;
        }
        for (const auto& [handle, listener] : listeners)
            listener(changes);
    });
}

void FakeEngine::openList(const QString&, ListRequest request, std::function<void(Result<ListSlice>)> onSlice)
{
    {
        const std::lock_guard lock(m_mutex);
        m_listRequests.append(request);
    }
    later([this, request, onSlice] {
        std::vector<qint64> keys;
        std::optional<Error> error;
        std::optional<qint64> searched;
        size_t size = 0;
        int slices = 0;
        {
            const std::lock_guard lock(m_mutex);
            keys = m_lists[request.kind].keys;
            error = m_listError;
            size = m_sliceSize;
            searched = m_searched;
            slices = m_slicesFound;
        }
        if (request.limit > 0 && keys.size() > size_t(request.limit))
            keys.resize(size_t(request.limit));
        size_t from = 0;
        do {
            if (error && slices-- <= 0) {
                onSlice(fail(*error));
                return;
            }
            if (searched && slices-- <= 0) {
                ListSlice progress;
                progress.searched = *searched;
                onSlice(progress);
                return;
            }
            const size_t to = std::min(from + size, keys.size());
            ListSlice slice;
            slice.keys.assign(keys.begin() + qptrdiff(from), keys.begin() + qptrdiff(to));
            slice.first = from == 0;
            slice.last = to == keys.size();
            onSlice(slice);
            from = to;
        } while (from < keys.size());
    });
}

void FakeEngine::closeList(const QString& slot)
{
    const std::lock_guard lock(m_mutex);
    m_closedLists.append(slot);
}

void FakeEngine::setListBreak(const Error& error, int slices)
{
    const std::lock_guard lock(m_mutex);
    m_listError = error;
    m_slicesFound = slices;
}

void FakeEngine::setSearching(qint64 searchedRows, int slices)
{
    const std::lock_guard lock(m_mutex);
    m_searched = searchedRows;
    m_slicesFound = slices;
}

void FakeEngine::fetchRows(ListKind kind, std::vector<qint64> keys, Reply<ListRows> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_fetches.push_back(keys);
    }
    later([this, kind, keys, reply] {
        std::function<ListRows(const std::vector<qint64>&)> rows;
        {
            const std::lock_guard lock(m_mutex);
            rows = m_lists[kind].rows;
        }
        reply(rows(keys));
    });
}

void FakeEngine::jobDetail(const QString&, Reply<JobDetail> reply)
{
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto detail = m_jobDetail;
        lock.unlock();
        reply(detail);
    });
}

void FakeEngine::deliveryDetail(const QString&, Reply<DeliveryDetail> reply)
{
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto detail = m_deliveryDetail;
        lock.unlock();
        reply(detail);
    });
}

void FakeEngine::letterDetail(qint64, Reply<LetterDetail> reply)
{
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto detail = m_letterDetail;
        lock.unlock();
        reply(detail);
    });
}

void FakeEngine::payload(const QString&, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply)
{
    later([this, offset, bytes, reply] {
        std::unique_lock lock(m_mutex);
        const PayloadPiece piece{m_payload.mid(offset, bytes), offset, m_payload.size()};
        lock.unlock();
        reply(piece);
    });
}

void FakeEngine::telemetryPayload(qint64 key, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply)
{
    later([this, key, offset, bytes, reply] {
        std::unique_lock lock(m_mutex);
        const QByteArray whole = m_telemetryPayloads.value(key);
        lock.unlock();
        reply(PayloadPiece{whole.mid(offset, bytes), offset, whole.size()});
    });
}

void FakeEngine::telemetryMinutes(qint64 fromMs, qint64 toMs, Reply<TelemetryMinutes> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_minutesAsked.append({fromMs, toMs});
    }
    later([this, fromMs, toMs, reply] {
        std::unique_lock lock(m_mutex);
        auto counted = m_telemetryMinutes;
        lock.unlock();
        if (counted && counted->toMs == 0) {
            counted->fromMs = fromMs;
            counted->toMs = toMs - toMs % kMsOfMinute + kMsOfMinute;
        }
        reply(std::move(counted));
    });
}

void FakeEngine::counts(Reply<StoreCounts> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        ++m_countsAsked;
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto counts = m_counts;
        lock.unlock();
        reply(counts);
    });
}

void FakeEngine::submit(SubmitRequest request, Reply<QString> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_submitted.append(request);
    }
    later([reply] { reply(u"01a22cd3-9b11-7c3e-a4f0-2d8e61b09e41"_s); });
}

void FakeEngine::plan(ActionRequest request, Reply<ActionPlan> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_plans.append(request);
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto plan = m_plan;
        lock.unlock();
        reply(plan);
    });
}

void FakeEngine::redrives(Reply<QList<RedriveInfo>> reply)
{
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto redrives = m_redrives;
        lock.unlock();
        reply(redrives);
    });
}

void FakeEngine::steer(RedriveOrder order, Reply<RedriveInfo> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_orders.append(order);
    }
    later([this, order, reply] {
        std::unique_lock lock(m_mutex);
        RedriveInfo info;
        for (const auto& one : std::as_const(m_redrives))
            if (one.no == order.no)
                info = one;
        lock.unlock();
        reply(info);
    });
}

void FakeEngine::tokens(Reply<QList<TokenRow>> reply)
{
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto tokens = m_tokens;
        lock.unlock();
        reply(tokens);
    });
}

void FakeEngine::changeToken(TokenChange change, Reply<TokenChanged> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_tokenChanges.append(change);
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto result = m_tokenChanged;
        lock.unlock();
        reply(result);
    });
}

void FakeEngine::exportList(ExportRequest request, Reply<ExportDone> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_exports.append(request);
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto done = m_exported;
        lock.unlock();
        reply(done);
    });
}

QList<ExportRequest> FakeEngine::exports() const
{
    const std::lock_guard lock(m_mutex);
    return m_exports;
}

void FakeEngine::deliveryMatrix(const QString& filter, Reply<DeliveryMatrix> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_matrixFilters.append(filter);
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto matrix = m_matrix;
        lock.unlock();
        reply(matrix);
    });
}

QStringList FakeEngine::matrixFilters() const
{
    const std::lock_guard lock(m_mutex);
    return m_matrixFilters;
}

void FakeEngine::endpoints(Reply<QList<EndpointRow>> reply)
{
    later([this, reply] {
        QList<EndpointRow> rows;
        {
            const std::lock_guard lock(m_mutex);
            for (const EndpointDetail& detail : std::as_const(m_endpoints))
                rows.append(detail.endpoint);
        }
        reply(rows);
    });
}

void FakeEngine::endpointDetail(const QString& endpointId, Reply<EndpointDetail> reply)
{
    later([this, endpointId, reply] {
        Result<EndpointDetail> found = fail(ErrorKind::NotFound, QStringLiteral("there is no such endpoint"));
        {
            const std::lock_guard lock(m_mutex);
            for (const EndpointDetail& detail : std::as_const(m_endpoints)) {
                if (detail.endpoint.id == endpointId)
                    found = detail;
            }
        }
        reply(found);
    });
}

void FakeEngine::changeEndpoint(EndpointChange change, Reply<EndpointChanged> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_endpointChanges.append(change);
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto result = m_endpointChanged;
        lock.unlock();
        reply(result);
    });
}

void FakeEngine::testEndpoint(const QString& endpointId, Reply<DeliveryAttempt> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_endpointTests.append(endpointId);
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto result = m_endpointTested;
        lock.unlock();
        reply(result);
    });
}

QList<EndpointChange> FakeEngine::endpointChanges() const
{
    const std::lock_guard lock(m_mutex);
    return m_endpointChanges;
}

QStringList FakeEngine::endpointTests() const
{
    const std::lock_guard lock(m_mutex);
    return m_endpointTests;
}

void FakeEngine::instances(Reply<QList<InstanceInfo>> reply)
{
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto instances = m_instances;
        lock.unlock();
        reply(instances);
    });
}

EngineFacts FakeEngine::facts() const
{
    const std::lock_guard lock(m_mutex);
    return m_facts;
}

QList<TokenChange> FakeEngine::tokenChanges() const
{
    const std::lock_guard lock(m_mutex);
    return m_tokenChanges;
}

void FakeEngine::act(ActionRequest request, Reply<ActionResult> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_actions.append(request);
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto result = m_result;
        lock.unlock();
        reply(result);
    });
}

int FakeEngine::subscribe(std::function<void(const ChangeSet&)> onChange)
{
    const std::lock_guard lock(m_mutex);
    m_subscribers[m_nextHandle] = std::move(onChange);
    return m_nextHandle++;
}

void FakeEngine::unsubscribe(int handle)
{
    const std::lock_guard lock(m_mutex);
    m_subscribers.erase(handle);
}

} // namespace redrive::test
