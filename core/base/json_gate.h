// The one door for JSON from outside: strict RFC 8259 grammar over bytes, in a single pass without
// recursion, before anything else reads the text. Source: RFC 8259. Any thread.
#pragma once

#include "core/base/json_fault.h"

#include <QByteArrayView>

#include <optional>

namespace redrive {

struct JsonLimits
{
    int depth = 64;            // 1-64: open arrays and objects at once
    int keys = 10'000;         // in all objects of the text together
    bool uniqueTopKeys = true; // refuse a key that stands twice in the outermost object
};

// Nothing when the text is one JSON value in valid UTF-8 that keeps the limits, without NUL and without
// unpaired surrogates (raw or escaped); else the first fault in byte order. Numbers may have any size.
// Memory: a constant, and the keys of the outermost object.
std::optional<JsonFault> checkJson(QByteArrayView text, const JsonLimits& limits = {});

} // namespace redrive
