#include "core/store/action_scope.h"

#include "core/store/cancel_actions.h"
#include "core/store/delivery_replay_store.h"
#include "core/store/list_store.h"

#include <QSet>

#include <algorithm>

namespace redrive {

Result<QStringList> freezeScope(Connection& db, const ActionRequest& request, qint64 nowMs)
{
    if (isQueueVerb(request.verb))
        return QStringList{request.scope.queue};
    if (request.scope.matching) {
        REDRIVE_ASSIGN(ids, matchingIds(db, request.scope.list, request.scope.filter, nowMs));
        std::reverse(ids.begin(), ids.end());
        ids.removeDuplicates(); // a message may have several letters
        if (request.verb == ActionVerb::Cancel && request.scope.list == ListKind::Jobs) {
            REDRIVE_ASSIGN(open, cancel_actions::cancellableJobs(db));
            ids.removeIf([&open](const QString& id) { return !open.contains(id); });
        }
        return ids;
    }
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
            REDRIVE_ASSIGN(failed, delivery_replay_store::failedOfJob(db, id));
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
