#include "core/domain/name_filter.h"

#include "core/domain/endpoint_status.h"

#include <algorithm>

namespace redrive {

namespace {

bool holds(const NamedThing& thing, const QString& word)
{
    const auto stands = [&](const QString& text) { return text.contains(word, Qt::CaseInsensitive); };
    return stands(thing.name) || std::any_of(thing.texts.begin(), thing.texts.end(), stands);
}

bool matches(const FilterTerm& term, const NamedThing& thing)
{
    if (term.field == FilterField::Words)
        return holds(thing, term.text);
    if (term.field == FilterField::State)
        return thing.status.compare(term.text, Qt::CaseInsensitive) == 0;
    if (term.anyStart && term.anyEnd)
        return thing.name.contains(term.text, Qt::CaseInsensitive);
    if (term.anyStart)
        return thing.name.endsWith(term.text);
    if (term.anyEnd)
        return thing.name.startsWith(term.text);
    return thing.name == term.text;
}

Status checkTerm(const FilterTerm& term, const NameFilterTerms& terms)
{
    if (term.field == FilterField::Words || term.field == terms.name)
        return {};
    if (term.field == FilterField::State && !terms.statuses.isEmpty()) {
        if (terms.statuses.contains(term.text, Qt::CaseInsensitive))
            return {};
        return fail(ErrorKind::InvalidInput,
                    u"'%1' is no status here (use %2)"_s.arg(term.text, terms.statuses.join(u", "_s)));
    }
    if (terms.name == FilterField::Queue)
        return fail(ErrorKind::InvalidInput, u"queues are found by queue: and by words in their name"_s);
    return fail(ErrorKind::InvalidInput,
                u"endpoints are found by endpoint:, by status: and by words in their name and URL"_s);
}

} // namespace

Status checkNameFilter(const FilterNode& node, const NameFilterTerms& terms)
{
    if (node.kind == FilterNode::Term)
        return checkTerm(node.term, terms);
    for (const FilterNode& part : node.parts)
        REDRIVE_TRY(checkNameFilter(part, terms));
    return {};
}

bool matchesName(const FilterNode& node, const NamedThing& thing)
{
    const auto matchesPart = [&](const FilterNode& part) { return matchesName(part, thing); };
    switch (node.kind) {
    case FilterNode::All:
        return true;
    case FilterNode::Term:
        return matches(node.term, thing);
    case FilterNode::Not:
        return !matchesPart(node.parts.front());
    case FilterNode::And:
        return std::all_of(node.parts.begin(), node.parts.end(), matchesPart);
    case FilterNode::Or:
        break;
    }
    return std::any_of(node.parts.begin(), node.parts.end(), matchesPart);
}

const NameFilterTerms& queueFilterTerms()
{
    static const NameFilterTerms terms{FilterField::Queue, {}};
    return terms;
}

const NameFilterTerms& endpointFilterTerms()
{
    static const NameFilterTerms terms{FilterField::Endpoint, endpointStatuses()};
    return terms;
}

} // namespace redrive
