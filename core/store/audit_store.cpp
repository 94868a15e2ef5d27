#include "core/store/audit_store.h"

namespace redrive::audit_store {

namespace {

constexpr char kAdd[] =
    "INSERT INTO audit (at_ms, actor, source, verb, target, count, redrive_no, reason, result) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

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

} // namespace redrive::audit_store
