#include "core/domain/queue_filter.h"

#include <algorithm>

namespace redrive {

namespace {

bool matchesName(const FilterTerm& term, const QString& name)
{
    if (term.field == FilterField::Words || (term.anyStart && term.anyEnd))
        return name.contains(term.text, Qt::CaseInsensitive);
    if (term.anyStart)
        return name.endsWith(term.text);
    if (term.anyEnd)
        return name.startsWith(term.text);
    return name == term.text;
}

} // namespace

Status checkQueueFilter(const FilterNode& node)
{
    if (node.kind == FilterNode::Term && node.term.field != FilterField::Words &&
        node.term.field != FilterField::Queue)
        return fail(ErrorKind::InvalidInput, u"queues are found by queue: and by words in their name"_s);
    for (const FilterNode& part : node.parts)
        REDRIVE_TRY(checkQueueFilter(part));
    return {};
}

bool matchesQueue(const FilterNode& node, const QueueStats& queue)
{
    const auto matches = [&](const FilterNode& part) { return matchesQueue(part, queue); };
    switch (node.kind) {
    case FilterNode::All:
        return true;
    case FilterNode::Term:
        return matchesName(node.term, queue.name);
    case FilterNode::Not:
        return !matches(node.parts.front());
    case FilterNode::And:
        return std::all_of(node.parts.begin(), node.parts.end(), matches);
    case FilterNode::Or:
        break;
    }
    return std::any_of(node.parts.begin(), node.parts.end(), matches);
}

} // namespace redrive
