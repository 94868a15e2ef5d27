#include "core/engine/reader.h"

#include "core/engine/matrix_reading.h"

#include "core/base/log.h"
#include "core/db/migrator.h"
#include "core/engine/detail_reading.h"
#include "core/store/activity_read_store.h"
#include "core/store/alert_post_store.h"
#include "core/store/alert_store.h"
#include "core/store/endpoint_read_store.h"
#include "core/store/instance_read_store.h"
#include "core/store/job_status_json.h"
#include "core/store/redrive_ledger_store.h"
#include "core/store/token_store.h"
#include "core/webhooks/endpoint_writer.h"

namespace redrive {

namespace {

QueueAttempts attemptsOf(const QList<KnownQueue>& queues)
{
    QueueAttempts attempts;
    for (const KnownQueue& queue : queues)
        attempts.insert(queue.name, queue.maxAttempts);
    return attempts;
}

constexpr int kRedrivesShown = 20;
constexpr int kAlertsShown = 20;
constexpr qint64 kProgressMs = 200; // how far a search has come is told so often

Error stopped()
{
    return {ErrorKind::Refused, u"the engine has stopped"_s, {}, {}};
}

// Errors of the request itself; all others may come from the connection.
bool isOfRequest(ErrorKind kind)
{
    return kind == ErrorKind::InvalidInput || kind == ErrorKind::NotFound || kind == ErrorKind::Busy;
}

} // namespace

Reader::Reader(Clock& clock, DatabaseTarget target, const QList<KnownQueue>& queues)
    : m_clock(clock), m_target(std::move(target)), m_attempts(attemptsOf(queues)),
      m_exporter(clock, m_target, m_attempts), m_counts(queues), m_loop(clock)
{
}

Reader::~Reader()
{
    stop();
}

void Reader::setStoreWatch(std::function<Status()> mayOpen, std::function<void(const Error&)> onDamage)
{
    m_mayOpen = std::move(mayOpen);
    m_onDamage = std::move(onDamage);
}

void Reader::start()
{
    m_loop.start(
        "reader", [this] { return cycle(); }, [this] { leave(); });
}

void Reader::stop()
{
    m_exporter.stop();
    m_loop.stop();
}

Result<Connection*> Reader::connection()
{
    if (!m_connection) {
        if (m_mayOpen)
            REDRIVE_TRY(m_mayOpen());
        REDRIVE_ASSIGN(opened, openStore(m_target, Access::Reader));
        m_connection = std::move(opened);
    }
    return m_connection.get();
}

void Reader::judge(const Error& error)
{
    if (isOfRequest(error.kind))
        return;
    if (m_connection)
        logEvent(LogLevel::Warning, "reader_connection_given_up", {{"error", error.text()}});
    if (error.kind == ErrorKind::Corrupt && m_onDamage)
        m_onDamage(error);
    m_connection.reset();
    m_counts.forget();
}

template <typename T, typename Read>
void Reader::ask(Reply<T> reply, Read read)
{
    const bool posted = m_loop.post([this, reply, read = std::move(read)] {
        auto answer = [&]() -> Result<T> {
            REDRIVE_ASSIGN(db, connection());
            return read(*db);
        }();
        if (!answer)
            judge(answer.error());
        reply(std::move(answer));
    });
    if (!posted)
        reply(fail(stopped()));
}

void Reader::openList(const QString& slot, ListRequest request,
                      std::function<void(Result<ListSlice>)> onSlice)
{
    const bool posted = m_loop.post([this, slot, request = std::move(request), onSlice] {
        m_lists.erase(slot);
        auto cursor = ListCursor::open(request, m_clock.wallMs());
        if (cursor)
            m_lists[slot] = {std::move(*cursor), onSlice, m_clock.steadyMs()};
        else
            onSlice(fail(std::move(cursor.error())));
    });
    if (!posted)
        onSlice(fail(stopped()));
}

void Reader::closeList(const QString& slot)
{
    m_loop.post([this, slot] { m_lists.erase(slot); });
}

void Reader::fetchRows(ListKind kind, std::vector<qint64> keys, Reply<ListRows> reply)
{
    ask<ListRows>(std::move(reply), [this, kind, keys = std::move(keys)](Connection& db) {
        return readRows(db, kind, keys, m_attempts);
    });
}

void Reader::jobDetail(const QString& id, Reply<JobDetail> reply)
{
    ask<JobDetail>(std::move(reply),
                   [this, id](Connection& db) { return readJobDetail(db, id, m_attempts); });
}

void Reader::deliveryDetail(const QString& id, Reply<DeliveryDetail> reply)
{
    ask<DeliveryDetail>(std::move(reply), [id](Connection& db) { return readDeliveryDetail(db, id); });
}

void Reader::letterDetail(qint64 no, Reply<LetterDetail> reply)
{
    ask<LetterDetail>(std::move(reply),
                      [this, no](Connection& db) { return readLetterDetail(db, no, m_attempts); });
}

void Reader::payload(const QString& id, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply)
{
    ask<PayloadPiece>(std::move(reply),
                      [id, offset, bytes](Connection& db) { return readPayload(db, id, offset, bytes); });
}

void Reader::counts(Reply<StoreCounts> reply)
{
    ask<StoreCounts>(std::move(reply), [this](Connection& db) {
        return m_counts.counts(db, m_clock.wallMs(), m_clock.steadyMs());
    });
}

void Reader::plan(ActionRequest request, ActionLimits limits, Reply<ActionPlan> reply)
{
    ask<ActionPlan>(std::move(reply),
                    [this, request = std::move(request), limits = std::move(limits)](Connection& db) {
                        return planAction(db, request, limits, m_clock.wallMs());
                    });
}

void Reader::endpoints(Reply<QList<EndpointRow>> reply)
{
    ask<QList<EndpointRow>>(std::move(reply), [this](Connection& db) -> Result<QList<EndpointRow>> {
        REDRIVE_ASSIGN(rows, endpoint_read_store::list(db, m_clock.wallMs()));
        for (EndpointRow& row : rows)
            row.settings = maskedEndpoint(row.settings);
        return rows;
    });
}

void Reader::endpointDetail(const QString& endpointId, Reply<EndpointDetail> reply)
{
    ask<EndpointDetail>(std::move(reply), [this, endpointId](Connection& db) -> Result<EndpointDetail> {
        REDRIVE_ASSIGN(detail, endpoint_read_store::detail(db, endpointId, m_clock.wallMs()));
        detail.endpoint.settings = maskedEndpoint(detail.endpoint.settings);
        for (EndpointVersion& version : detail.versions)
            version.settings = maskedEndpoint(version.settings);
        return detail;
    });
}

void Reader::alertTargets(const QList<AlertTargetRow>& configured, Reply<QList<AlertTargetRow>> reply)
{
    ask<QList<AlertTargetRow>>(std::move(reply), [configured](Connection& db) {
        return alert_post_store::withState(db, configured);
    });
}

void Reader::alertsAfter(qint64 no, Reply<QList<Alert>> reply)
{
    ask<QList<Alert>>(std::move(reply),
                      [no](Connection& db) { return alert_store::newerThan(db, no, kAlertsShown); });
}

void Reader::activityDetail(qint64 key, Reply<ActivityDetail> reply)
{
    ask<ActivityDetail>(std::move(reply),
                        [key](Connection& db) { return activity_read_store::detail(db, key); });
}

void Reader::exportList(ExportRequest request, Reply<ExportDone> reply)
{
    m_exporter.start(std::move(request), std::move(reply));
}

void Reader::deliveryMatrix(const QString& filter, Reply<DeliveryMatrix> reply)
{
    ask<DeliveryMatrix>(std::move(reply),
                        [this, filter](Connection& db) { return readMatrix(db, filter, m_clock.wallMs()); });
}

void Reader::redrives(Reply<QList<RedriveInfo>> reply)
{
    ask<QList<RedriveInfo>>(std::move(reply),
                            [](Connection& db) { return redrive_ledger_store::list(db, kRedrivesShown); });
}

void Reader::tokens(Reply<QList<TokenRow>> reply)
{
    ask<QList<TokenRow>>(std::move(reply), [](Connection& db) { return token_store::list(db); });
}

void Reader::instances(Reply<QList<InstanceInfo>> reply)
{
    ask<QList<InstanceInfo>>(std::move(reply), [this](Connection& db) {
        return instance_read_store::list(db, m_clock.wallMs(), m_clock.bootMs());
    });
}

void Reader::jobStatus(const QString& id, Reply<std::optional<QByteArray>> reply)
{
    ask<std::optional<QByteArray>>(std::move(reply), [id](Connection& db) { return jobStatusJson(db, id); });
}

void Reader::telemetryPayload(qint64 key, qint64 offset, qint64 bytes, Reply<PayloadPiece> reply)
{
    ask<PayloadPiece>(std::move(reply), [key, offset, bytes](Connection& db) {
        return readTelemetryPayload(db, key, offset, bytes);
    });
}

void Reader::telemetryMinutes(qint64 fromMs, qint64 toMs, Reply<TelemetryMinutes> reply)
{
    const bool posted = m_loop.post([this, fromMs, toMs, reply] {
        if (m_tally)
            m_tally->reply(fail(ErrorKind::Cancelled, u"a later question took its place"_s));
        m_tally.emplace(OpenTally{TelemetryTally(fromMs, toMs), reply});
    });
    if (!posted)
        reply(fail(stopped()));
}

std::optional<qint64> Reader::cycle()
{
    if (!m_lists.empty())
        readSlice();
    if (m_tally)
        countTelemetry();
    return m_lists.empty() && !m_tally ? std::nullopt : std::optional(m_clock.steadyMs());
}

void Reader::countTelemetry()
{
    const auto counted = [&]() -> Result<bool> {
        REDRIVE_ASSIGN(db, connection());
        return m_tally->tally.step(*db);
    }();
    if (counted && !*counted)
        return;
    if (!counted)
        judge(counted.error());
    const OpenTally ended = std::move(*m_tally);
    m_tally.reset();
    if (counted)
        ended.reply(ended.tally.minutes());
    else
        ended.reply(fail(counted.error()));
}

void Reader::readSlice()
{
    auto turn = m_lists.upper_bound(m_lastSlot);
    if (turn == m_lists.end())
        turn = m_lists.begin();
    m_lastSlot = turn->first;
    auto slice = [&]() -> Result<ListSlice> {
        REDRIVE_ASSIGN(db, connection());
        return turn->second.cursor->next(*db);
    }();
    if (slice && !slice->last) {
        const qint64 steadyMs = m_clock.steadyMs();
        if (!slice->keys.empty() || steadyMs - turn->second.toldAtMs >= kProgressMs) {
            turn->second.toldAtMs = steadyMs;
            turn->second.onSlice(std::move(slice));
        }
        return;
    }
    if (!slice)
        judge(slice.error());
    const OpenList ended = std::move(turn->second);
    m_lists.erase(turn);
    ended.onSlice(std::move(slice));
}

void Reader::leave()
{
    for (const auto& [slot, list] : m_lists)
        list.onSlice(fail(stopped()));
    m_lists.clear();
    if (const auto tally = std::exchange(m_tally, std::nullopt))
        tally->reply(fail(stopped()));
    m_connection.reset();
}

} // namespace redrive
