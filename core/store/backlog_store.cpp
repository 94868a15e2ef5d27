#include "core/store/backlog_store.h"

namespace redrive::backlog_store {

namespace {

constexpr char kClear[] = "DELETE FROM queue_backlog";
constexpr char kRecount[] = "INSERT INTO queue_backlog (queue, messages, bytes) "
                            "SELECT queue, count(*), sum(size) FROM messages GROUP BY queue";
constexpr char kRead[] = "SELECT messages, bytes FROM queue_backlog WHERE queue = ?";

} // namespace

Result<Backlog> read(Connection& db, const QString& queue)
{
    auto query = db.query(kRead);
    query.bind(queue);
    Backlog backlog;
    if (query.next())
        backlog = {query.int64(0), query.int64(1)};
    REDRIVE_TRY(query.status());
    return backlog;
}

Status recount(Connection& db)
{
    REDRIVE_TRY(db.query(kClear).run());
    REDRIVE_TRY(db.query(kRecount).run());
    return {};
}

Status admit(Cycle& cycle, const QString& queue, qint64 messages, qint64 bytes, const LimitSettings& limits)
{
    REDRIVE_ASSIGN(backlog, read(cycle.db, queue));
    if (backlog.messages + messages > limits.backlogMessages)
        return fail(ErrorKind::Refused,
                    u"the queue %1 is full: it holds %2 messages, its limit is %3"_s.arg(queue)
                        .arg(backlog.messages)
                        .arg(limits.backlogMessages),
                    u"backlog"_s);
    if (backlog.bytes + bytes > limits.backlogBytes)
        return fail(ErrorKind::Refused,
                    u"the queue %1 is full: it holds %2 bytes, its limit is %3"_s.arg(queue)
                        .arg(backlog.bytes)
                        .arg(limits.backlogBytes),
                    u"backlog"_s);
    return {};
}

} // namespace redrive::backlog_store
