#include "core/webhooks/event_filter.h"

#include <algorithm>

namespace redrive {

bool wantsEvent(const QStringList& patterns, const QString& eventType)
{
    const auto matches = [&](const QString& pattern) {
        if (pattern == u"*")
            return true;
        if (pattern.endsWith(u".*"))
            return eventType.startsWith(QStringView(pattern).chopped(1));
        return eventType == pattern;
    };
    return patterns.isEmpty() || std::any_of(patterns.begin(), patterns.end(), matches);
}

} // namespace redrive
