// Which event types an endpoint wants. Pure; any thread.
#pragma once

#include <QStringList>

namespace redrive {

// Patterns are exact types or `prefix.*`, which is every type that begins with `prefix.`; `*` is every type.
// No patterns: no filter.
bool wantsEvent(const QStringList& patterns, const QString& eventType);

} // namespace redrive
