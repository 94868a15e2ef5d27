#include "core/store/action_scope.h"

#include "core/store/cancel_actions.h"
#include "core/store/delivery_replay_store.h"
#include "core/store/event_store.h"
#include "core/store/list_store.h"

#include <QSet>

#include <algorithm>

namespace redrive {

namespace {

bool asksForDelivered(const FilterNode& node)
{
    if (node.kind == FilterNode::Term)
        return node.term.field == FilterField::State &&
               node.term.text.compare(toText(DeliveryStatus::Delivered), Qt::CaseInsensitive) == 0;
    if (node.kind == FilterNode::Not)
        return false;
    return std::any_of(node.parts.begin(), node.parts.end(), asksForDelivered);
}

FilterNode withoutDelivered(FilterNode filter)
{
    FilterNode delivered;
    delivered.kind = FilterNode::Term;
    delivered.term.field = FilterField::State;
    delivered.term.text = toText(DeliveryStatus::Delivered);
    FilterNode others;
    others.kind = FilterNode::Not;
    others.parts.push_back(std::move(delivered));
    FilterNode both;
    both.kind = FilterNode::And;
    both.parts.push_back(std::move(filter));
    both.parts.push_back(std::move(others));
    return both;
}

// An event, or one of its deliveries, is published by the job that made it.
Result<QStringList> jobsOfEvents(Connection& db, const QStringList& ids)
{
    QStringList jobs;
    QSet<QString> seen;
    for (const QString& id : ids) {
        REDRIVE_ASSIGN(made, event_store::jobOf(db, id));
        const QString job = made.isEmpty() ? id : made;
        if (!seen.contains(job))
            jobs.append(job);
        seen.insert(job);
    }
    return jobs;
}

Result<QStringList> freezeMatching(Connection& db, const ActionRequest& request, qint64 nowMs)
{
    auto filter = parseFilter(request.scope.filter);
    if (!filter)
        return fail(filterError(filter.error()));
    REDRIVE_ASSIGN(leaves, leavesDelivered(db, request));
    const bool narrower = leaves && request.scope.list == ListKind::Deliveries;
    FilterNode root = narrower ? withoutDelivered(std::move(filter->root)) : std::move(filter->root);
    REDRIVE_ASSIGN(ids, matchingIds(db, request.scope.list, root, nowMs));
    std::reverse(ids.begin(), ids.end());
    ids.removeDuplicates(); // a message may have several letters
    return ids;
}

} // namespace

Result<bool> leavesDelivered(Connection& db, const ActionRequest& request)
{
    if (request.verb != ActionVerb::Replay)
        return false;
    if (request.scope.deliveredToo)
        return !*request.scope.deliveredToo;
    if (request.scope.matching) {
        const auto filter = parseFilter(request.scope.filter);
        return !filter || !asksForDelivered(filter->root);
    }
    for (const QString& id : request.scope.ids) {
        REDRIVE_ASSIGN(delivered, delivery_replay_store::isDelivered(db, id));
        if (delivered)
            return false;
    }
    return true;
}

Result<QStringList> freezeScope(Connection& db, const ActionRequest& request, qint64 nowMs)
{
    if (isQueueVerb(request.verb))
        return QStringList{request.scope.queue};
    if (request.scope.matching) {
        REDRIVE_ASSIGN(ids, freezeMatching(db, request, nowMs));
        if (request.verb == ActionVerb::Publish)
            return jobsOfEvents(db, ids);
        if (request.verb == ActionVerb::Cancel && request.scope.list == ListKind::Jobs) {
            REDRIVE_ASSIGN(open, cancel_actions::cancellableJobs(db));
            ids.removeIf([&open](const QString& id) { return !open.contains(id); });
        }
        return ids;
    }
    if (request.verb == ActionVerb::Publish)
        return jobsOfEvents(db, request.scope.ids);
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
    if (!scope.queue.isEmpty() && scope.ids.isEmpty() && !scope.matching && scope.endpointId.isEmpty())
        return scope.queue;
    if (!scope.endpointId.isEmpty())
        return u"endpoint "_s + scope.endpointId;
    if (scope.matching)
        return scope.filter.trimmed().isEmpty() ? u"all"_s : u"matching "_s + scope.filter.trimmed();
    return scope.ids.size() == 1 ? scope.ids.first() : u"%1 selected"_s.arg(scope.ids.size());
}

} // namespace redrive
