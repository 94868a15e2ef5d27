// Secrets by name as text, lines as in .dev.vars. Pure; any thread.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QHash>

namespace redrive {

QByteArray secretText(const QHash<QString, QByteArray>& secrets);

// Corrupt: a line is none; `place` is where the text comes from, for people.
Result<QHash<QString, QByteArray>> readSecretText(const QByteArray& text, const QString& place);

} // namespace redrive
