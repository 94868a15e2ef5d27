#include "core/store/audit_store.h"

namespace redrive::audit_store {

namespace {

constexpr char kAdd[] =
    "INSERT INTO audit (at_ms, actor, source, verb, target, count, redrive_no, reason, result) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr char kRow[] = "SELECT at_ms, actor, source, verb, target, count, COALESCE(redrive_no, 0), reason, "
                        "result FROM audit WHERE no = ?";

} // namespace

Status add(Cycle& cycle, const AuditEntry& entry)
{
    auto query = cycle.db.query(kAdd);
    query.bind(cycle.nowMs).bind(entry.actor).bind(entry.source).bind(entry.verb).bind(entry.target);
    query.bind(entry.count).bind(entry.redriveNo).bindTextOrNull(entry.reason).bind(entry.result);
    REDRIVE_TRY(query.run());
    cycle.changes.operations = true;
    return {};
}

Result<std::optional<ActivityRow>> row(Connection& db, qint64 no)
{
    auto query = db.query(kRow);
    query.bind(no);
    std::optional<ActivityRow> found;
    if (query.next()) {
        ActivityRow row;
        row.key = no * 2;
        row.id = u"action %1"_s.arg(no);
        row.atMs = query.int64(0);
        row.actor = query.text(1);
        row.source = query.text(2);
        row.what = query.text(3);
        row.target = query.text(4);
        row.count = query.int64(5);
        row.redriveNo = query.int64(6);
        row.reason = query.text(7);
        row.result = query.text(8);
        found = std::move(row);
    }
    REDRIVE_TRY(query.status());
    return found;
}

} // namespace redrive::audit_store
