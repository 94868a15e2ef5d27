// The query language on queues, which are few and judged in memory: queue:, bare words that stand in the
// name, AND, OR, NOT and parentheses. Pure.
#pragma once

#include "core/domain/filter.h"
#include "core/domain/overview.h"

namespace redrive {

// InvalidInput when the filter asks for something that queues do not have.
Status checkQueueFilter(const FilterNode& node);
bool matchesQueue(const FilterNode& node, const QueueStats& queue);

} // namespace redrive
