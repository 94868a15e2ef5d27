#include "core/store/activity_read_store.h"

#include "core/store/alert_post_store.h"
#include "core/store/alert_store.h"
#include "core/store/audit_store.h"

namespace redrive::activity_read_store {

namespace {

void countPosts(ActivityRow& row, const QList<AlertPost>& posts)
{
    for (const AlertPost& post : posts) {
        const bool arrived = post.state == u"sent";
        const bool givenUp = post.state == u"failed";
        row.sent += arrived ? 1 : 0;
        row.failed += givenUp ? 1 : 0;
        row.waiting += arrived || givenUp ? 0 : 1;
        if (!arrived && !post.error.isEmpty())
            row.postError = post.error;
    }
}

ActivityRow alertRow(const Alert& alert, const QList<AlertPost>& posts)
{
    ActivityRow row;
    row.key = alert.no * 2 + 1;
    row.isAlert = true;
    row.id = u"alert %1"_s.arg(alert.no);
    row.atMs = alert.atMs;
    row.what = toText(alert.kind);
    row.target = alert.title;
    row.count = alert.count;
    row.isDigest = alert.isDigest;
    countPosts(row, posts);
    return row;
}

Result<std::optional<ActivityDetail>> find(Connection& db, qint64 key)
{
    const qint64 no = key / 2;
    if (key % 2 == 0) {
        REDRIVE_ASSIGN(action, audit_store::row(db, no));
        return action ? std::optional(ActivityDetail{*action, {}, {}}) : std::nullopt;
    }
    REDRIVE_ASSIGN(alert, alert_store::alert(db, no));
    if (!alert)
        return std::nullopt;
    REDRIVE_ASSIGN(posts, alert_post_store::ofAlert(db, no));
    return ActivityDetail{alertRow(*alert, posts), *alert, posts};
}

} // namespace

Result<QList<ActivityRow>> rows(Connection& db, const std::vector<qint64>& keys)
{
    QList<ActivityRow> found;
    found.reserve(qsizetype(keys.size()));
    for (const qint64 key : keys) {
        REDRIVE_ASSIGN(each, find(db, key));
        if (each)
            found.append(std::move(each->row));
    }
    return found;
}

Result<ActivityDetail> detail(Connection& db, qint64 key)
{
    REDRIVE_ASSIGN(found, find(db, key));
    if (!found)
        return fail(ErrorKind::NotFound, u"it is not kept any more"_s);
    return std::move(*found);
}

} // namespace redrive::activity_read_store
