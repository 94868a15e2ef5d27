// The audit of a database that is not open here. Any thread; blocks on the disk.
#pragma once

#include "core/db/target.h"
#include "core/store/audit_store.h"

namespace redrive {

// Adds a row and leaves the schema as it is. Nothing to do where there is no database.
Status noteInAudit(const DatabaseTarget& target, const AuditEntry& entry, qint64 nowMs);

} // namespace redrive
