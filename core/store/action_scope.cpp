#include "core/store/action_scope.h"

#include <QSet>

namespace redrive {

namespace {

constexpr char kFailedDeliveries[] = "SELECT id FROM webhook_deliveries "
                                     "WHERE event_id IN (SELECT id FROM webhook_events WHERE job_id = ?) "
                                     "AND status IN ('failed', 'dead') AND discarded = 0 ORDER BY id";

bool isQueueVerb(ActionVerb verb)
{
    return verb == ActionVerb::PauseQueue || verb == ActionVerb::ResumeQueue;
}

Result<QStringList> failedDeliveriesOf(Connection& db, const QString& jobId)
{
    auto query = db.query(kFailedDeliveries);
    query.bind(jobId);
    QStringList ids;
    while (query.next())
        ids.append(query.text(0));
    REDRIVE_TRY(query.status());
    return ids;
}

} // namespace

Result<QStringList> freezeScope(Connection& db, const ActionRequest& request)
{
    if (isQueueVerb(request.verb))
        return QStringList{request.scope.queue};
    QStringList frozen;
    QSet<QString> seen;
    const auto add = [&](const QString& id) {
        if (!id.isEmpty() && !seen.contains(id)) {
            seen.insert(id);
            frozen.append(id);
        }
    };
    for (const QString& id : request.scope.ids) {
        QStringList deliveries;
        if (request.verb == ActionVerb::Replay) {
            REDRIVE_ASSIGN(failed, failedDeliveriesOf(db, id));
            deliveries = failed;
        }
        if (deliveries.isEmpty())
            add(id);
        for (const QString& delivery : deliveries)
            add(delivery);
    }
    return frozen;
}

QString scopeWords(const ActionScope& scope)
{
    if (!scope.queue.isEmpty() && scope.ids.isEmpty() && !scope.matching)
        return scope.queue;
    if (scope.matching)
        return scope.filter.trimmed().isEmpty() ? u"all"_s : u"matching "_s + scope.filter.trimmed();
    return scope.ids.size() == 1 ? scope.ids.first() : u"%1 selected"_s.arg(scope.ids.size());
}

} // namespace redrive
