#include "core/store/stop_store.h"

namespace redrive::stop_store {

namespace {

constexpr char kClaims[] = "SELECT claim_no FROM messages WHERE stop_asked_ms IS NOT NULL "
                           "AND lease_instance = ? AND claim_no IS NOT NULL";
constexpr char kDeliveries[] = "SELECT {rowkey} FROM webhook_deliveries WHERE stop_asked_ms IS NOT NULL "
                               "AND instance_no = ?";
constexpr char kStanding[] =
    "SELECT COALESCE(j.status IN ('pending', 'processing'), 1), m.stop_asked_ms IS NOT NULL "
    "FROM messages m LEFT JOIN jobs j ON j.id = m.id WHERE m.seq = ?";
constexpr char kStillWaits[] = "SELECT 1 FROM messages m JOIN jobs j ON j.id = m.id "
                               "WHERE m.seq = ? AND m.claim_no IS NULL AND j.status = 'pending'";

Result<std::vector<qint64>> numbers(Query query)
{
    std::vector<qint64> found;
    while (query.next())
        found.push_back(query.int64(0));
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace

Result<std::vector<qint64>> askedClaims(Connection& db, qint64 instanceNo)
{
    auto query = db.query(kClaims);
    query.bind(instanceNo);
    return numbers(std::move(query));
}

Result<std::vector<qint64>> askedDeliveries(Connection& db, qint64 instanceNo)
{
    auto query = db.query(kDeliveries);
    query.bind(instanceNo);
    return numbers(std::move(query));
}

Result<Standing> standingOf(Connection& db, qint64 messageSeq)
{
    auto query = db.query(kStanding);
    query.bind(messageSeq);
    Standing standing;
    if (query.next())
        standing = {query.int64(0) != 0, query.int64(1) != 0};
    REDRIVE_TRY(query.status());
    return standing;
}

Result<bool> stillWaits(Connection& db, qint64 messageSeq)
{
    auto query = db.query(kStillWaits);
    query.bind(messageSeq);
    const bool waits = query.next();
    REDRIVE_TRY(query.status());
    return waits;
}

} // namespace redrive::stop_store
