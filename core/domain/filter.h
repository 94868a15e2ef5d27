// The query language of lists and of --where: terms joined by AND (or nothing), OR, NOT or -, parentheses.
//   status:dead type:mail* queue:"my/ Queue" endpoint:acme error:timeout id:0192* attempt:>3 age:>1h next:<5m
//   by:anna kind:alert (of activity) kind:delivery (of dead letters)
//   redrive:88 redrive:88/failed (queued, refused, waiting, succeeded, failed, gone)
//   since:2031-05-02T14:05Z until:2031-05-02T14:06Z (made from then on, before then)
//   tenant:acme source:audit (telemetry) payload.user.id:42 (the value at this place of a JSON payload)
//   payload.ms:>=12.5 (a number there; texts and all else do not match)
// A * at an end of a type, queue, endpoint, id, tenant, source or payload value stands for anything. Bare
// words are looked for in id, type and error; in telemetry in id, tenant, source and payload. Quotes (with \"
// and \\ inside) make everything literal. Pure.
#pragma once

#include "core/base/result.h"

#include <QStringList>

#include <vector>

namespace redrive {

enum class FilterField {
    Words,
    State,
    Type,
    Queue,
    Endpoint,
    Error,
    Id,
    Attempt,
    Age,
    Next,
    Redrive,
    Actor,
    Kind,
    Tenant,
    Source,
    Payload,
    Since,
    Until,
};

enum class FilterRelation { Is, Below, AtMost, Above, AtLeast };

struct FilterTerm
{
    FilterField field = FilterField::Words;
    QString text; // all but numbers and times; without the stars; Redrive: the outcome, empty: any
    QString path; // Payload: keys and places in arrays, parted by dots, as they were written
    bool anyStart = false;
    bool anyEnd = false;
    FilterRelation relation = FilterRelation::Is; // Attempt, Age, Next; Payload: not Is with a number in text
    qint64 number = 0; // a count, milliseconds, a redrive's number; Since, Until: unix milliseconds
};

struct FilterNode
{
    enum Kind { All, Term, Not, And, Or };

    Kind kind = All;
    FilterTerm term;               // Term
    std::vector<FilterNode> parts; // Not: one; And, Or: two or more
};

struct Filter
{
    static constexpr qsizetype kMaxCharacters = 4'096;

    FilterNode root;
    bool shortened = false; // the text was cut at kMaxCharacters: say filterNotice()
};

struct FilterFault
{
    QString message;        // a sentence for the operator
    qsizetype position = 0; // in the text, 0-based
    qsizetype length = 0;
};

tl::expected<Filter, FilterFault> parseFilter(const QString& text);

// The names of the fields, as they are written before the colon; "payload." is followed by a path.
QStringList filterFieldNames();

// "The filter was shortened to 4096 characters."
QString filterNotice();

// The same fault for callers that have no place to show a position.
Error filterError(const FilterFault& fault);

// The status that every match has, where the filter says so at its top; empty otherwise.
QString requiredStatus(const FilterNode& root);

} // namespace redrive
