#include "core/base/json_fault.h"

#include "core/base/result.h"

namespace redrive {

const char* JsonFault::code() const
{
    switch (problem) {
    case JsonProblem::InvalidJson:
        return "invalid_json";
    case JsonProblem::InvalidUtf8:
        return "invalid_utf8";
    case JsonProblem::TooDeep:
        return "json_too_deep";
    case JsonProblem::TooManyKeys:
        return "json_too_many_keys";
    case JsonProblem::DuplicateKey:
        return "duplicate_key";
    case JsonProblem::NulCharacter:
    case JsonProblem::UnpairedSurrogate:
        return "invalid_characters";
    }
    return "invalid_json";
}

QString JsonFault::text() const
{
    switch (problem) {
    case JsonProblem::InvalidJson:
        return u"JSON error at byte %1: %2."_s.arg(offset).arg(QLatin1StringView(what));
    case JsonProblem::InvalidUtf8:
        return u"Invalid UTF-8 at byte %1."_s.arg(offset);
    case JsonProblem::TooDeep:
        return u"JSON is nested deeper than %1 levels."_s.arg(limit);
    case JsonProblem::TooManyKeys:
        return u"JSON has more than %1 keys."_s.arg(limit);
    case JsonProblem::DuplicateKey:
        return u"Key '%1' appears twice."_s.arg(key);
    case JsonProblem::NulCharacter:
        return u"NUL characters are not allowed."_s;
    case JsonProblem::UnpairedSurrogate:
        return u"Unpaired surrogate."_s;
    }
    return {};
}

} // namespace redrive
