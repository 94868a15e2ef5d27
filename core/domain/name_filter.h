// The query language on things that have a name, are few and are judged in memory: queues and endpoints. Bare
// words are looked for in the name and in further texts. Pure.
#pragma once

#include "core/domain/filter.h"

#include <QStringList>

namespace redrive {

// Which terms such a filter may have.
struct NameFilterTerms
{
    FilterField name = FilterField::Queue; // Queue or Endpoint
    QStringList statuses;                  // that status: may ask for; none: it has no status
};

struct NamedThing
{
    QString name;
    QString status;
    QStringList texts; // where bare words are looked for beside the name
};

// InvalidInput when the filter asks for something that such things do not have.
Status checkNameFilter(const FilterNode& node, const NameFilterTerms& terms);
bool matchesName(const FilterNode& node, const NamedThing& thing);

const NameFilterTerms& queueFilterTerms();
const NameFilterTerms& endpointFilterTerms();

} // namespace redrive
