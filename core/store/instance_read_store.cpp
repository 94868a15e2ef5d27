#include "core/store/instance_read_store.h"

#include "core/base/clock.h"

#include <QCoreApplication>
#include <QHash>
#include <QSysInfo>

namespace redrive::instance_read_store {

namespace {

constexpr qint64 kShownEndedMs = 86'400'000;

constexpr char kList[] = "SELECT no, host, pid, version, boot_id, started_at_ms, lease_until_ms, ended_at_ms "
                         "FROM instances WHERE ended_at_ms IS NULL OR ended_at_ms > ? "
                         "ORDER BY no DESC LIMIT 200";
// Few jobs run at a time, however many there are: their messages say who holds them.
constexpr char kJobs[] =
    "SELECT m.lease_instance, count(*) FROM jobs j JOIN messages m ON m.id = j.id "
    "WHERE j.status = 'processing' AND (j.status = 'pending' OR j.status = 'processing') "
    "AND m.lease_instance IS NOT NULL GROUP BY m.lease_instance";
constexpr char kDeliveries[] = "SELECT instance_no, count(*) FROM webhook_deliveries "
                               "WHERE instance_no IS NOT NULL GROUP BY instance_no";

Result<QHash<qint64, qint64>> counts(Query query)
{
    QHash<qint64, qint64> found;
    while (query.next())
        found.insert(query.int64(0), query.int64(1));
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace

Result<QList<InstanceInfo>> list(Connection& db, qint64 nowMs, qint64 bootMs)
{
    REDRIVE_ASSIGN(jobs, counts(db.query(kJobs)));
    REDRIVE_ASSIGN(deliveries, counts(db.query(kDeliveries)));
    const QString boot = bootId();
    const QString host = QSysInfo::machineHostName();
    const qint64 pid = QCoreApplication::applicationPid();
    bool ownSeen = false;
    QList<InstanceInfo> found;
    auto query = db.query(kList);
    query.bind(nowMs - kShownEndedMs);
    while (query.next()) {
        InstanceInfo info;
        info.no = query.int64(0);
        info.host = query.text(1);
        info.pid = query.int64(2);
        info.version = query.text(3);
        info.startedAtMs = query.int64(5);
        info.endedAtMs = query.optInt64(7);
        if (!info.endedAtMs)
            info.leaseLeftMs = query.text(4) == boot ? std::max<qint64>(0, query.int64(6) - bootMs) : 0;
        info.jobsRunning = jobs.value(info.no);
        info.deliveriesRunning = deliveries.value(info.no);
        info.own = !ownSeen && !info.endedAtMs && info.host == host && info.pid == pid;
        ownSeen |= info.own;
        found.append(std::move(info));
    }
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::instance_read_store
