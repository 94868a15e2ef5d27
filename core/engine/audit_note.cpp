#include "core/engine/audit_note.h"

#include "core/db/migrator.h"
#include "core/db/transaction.h"

#include <QFileInfo>

namespace redrive {

Status noteInAudit(const DatabaseTarget& target, const AuditEntry& entry, qint64 nowMs)
{
    if (!QFileInfo::exists(target.path))
        return {};
    REDRIVE_ASSIGN(store, openChecked(target, Access::Writer));
    REDRIVE_ASSIGN(transaction, Transaction::begin(*store));
    Cycle cycle(*store);
    cycle.nowMs = nowMs;
    REDRIVE_TRY(audit_store::add(cycle, entry));
    return transaction.commit();
}

} // namespace redrive
