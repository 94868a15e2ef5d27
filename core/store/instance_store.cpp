#include "core/store/instance_store.h"

#include "core/base/clock.h"
#include "core/store/engine_locks.h"

#include <QCoreApplication>
#include <QSysInfo>

namespace redrive::instance_store {

namespace {

constexpr char kAdd[] =
    "INSERT INTO instances (owner, host, pid, version, boot_id, started_at_ms, lease_until_ms) "
    "VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING no";
constexpr char kRenew[] = "UPDATE instances SET lease_until_ms = ? WHERE no = ? AND ended_at_ms IS NULL";
constexpr char kEnd[] = "UPDATE instances SET ended_at_ms = ? WHERE no = ? AND ended_at_ms IS NULL";
constexpr char kLive[] = "SELECT no, owner, boot_id, lease_until_ms FROM instances WHERE ended_at_ms IS NULL";
constexpr char kOne[] = "SELECT owner, boot_id, lease_until_ms FROM instances "
                        "WHERE no = ? AND ended_at_ms IS NULL";

} // namespace

Result<qint64> add(Cycle& cycle, const QString& owner, qint64 leaseUntilMs)
{
    auto query = cycle.db.query(kAdd);
    query.bind(owner).bind(QSysInfo::machineHostName()).bind(qint64(QCoreApplication::applicationPid()));
    query.bind(QStringLiteral(REDRIVE_VERSION)).bind(bootId()).bind(cycle.nowMs).bind(leaseUntilMs);
    if (!query.next()) {
        REDRIVE_TRY(query.status());
        return fail(ErrorKind::Internal, u"the instance was not recorded"_s);
    }
    return query.int64(0);
}

Result<bool> renew(Cycle& cycle, qint64 no, qint64 leaseUntilMs)
{
    auto query = cycle.db.query(kRenew);
    query.bind(leaseUntilMs).bind(no);
    REDRIVE_ASSIGN(rows, query.run());
    return rows == 1;
}

Status end(Cycle& cycle, qint64 no)
{
    auto query = cycle.db.query(kEnd);
    query.bind(cycle.nowMs).bind(no);
    REDRIVE_TRY(query.run());
    return {};
}

Result<QList<InstanceRow>> live(Connection& db)
{
    auto query = db.query(kLive);
    QList<InstanceRow> rows;
    while (query.next())
        rows.append({query.int64(0), query.text(1), query.text(2), query.int64(3)});
    REDRIVE_TRY(query.status());
    return rows;
}

Result<bool> lives(Connection& db, qint64 no, qint64 bootMs)
{
    InstanceRow row;
    {
        auto query = db.query(kOne);
        query.bind(no);
        if (query.next())
            row = {no, query.text(0), query.text(1), query.int64(2)};
        REDRIVE_TRY(query.status());
    }
    return row.no != 0 && row.bootId == bootId() && row.leaseUntilMs > bootMs &&
           FileLock::isHeld(engine_locks::path(db.target().path, row.owner));
}

} // namespace redrive::instance_store
