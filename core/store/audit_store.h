// The record of every operator action. Inside a turn's transaction; row() also on a reader's connection.
#pragma once

#include "core/domain/activity.h"
#include "core/store/cycle.h"

namespace redrive {

struct AuditEntry
{
    QString actor;
    QString source; // console or command line
    QString verb;
    QString target; // the scope in words
    int count = 0;  // items it changed
    qint64 redriveNo = 0;
    QString reason;
    QString result;
};

namespace audit_store {

Status add(Cycle& cycle, const AuditEntry& entry);
Result<std::optional<ActivityRow>> row(Connection& db, qint64 no);

} // namespace audit_store
} // namespace redrive
