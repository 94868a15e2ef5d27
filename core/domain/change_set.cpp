#include "core/domain/change_set.h"

namespace redrive {

void ChangeSet::touch(const QString& id)
{
    if (everything)
        return;
    if (ids.size() >= kMaxIds) {
        everything = true;
        ids.clear();
        return;
    }
    ids.insert(id);
}

void ChangeSet::merge(const ChangeSet& other)
{
    jobs |= other.jobs;
    deliveries |= other.deliveries;
    letters |= other.letters;
    queues |= other.queues;
    operations |= other.operations;
    telemetry |= other.telemetry;
    endpoints |= other.endpoints;
    alerts |= other.alerts;
    if (other.everything) {
        everything = true;
        ids.clear();
    }
    for (const QString& id : other.ids)
        touch(id);
}

} // namespace redrive
