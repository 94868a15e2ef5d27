// Typed reading of one value: the value, or nothing and an error that says what is allowed. Messages never
// repeat text from the file unless said so. Any thread.
#pragma once

#include "core/config/config_value.h"
#include "core/config/diagnostic.h"

#include <QStringList>

#include <optional>

namespace redrive {

std::optional<QString> readText(const ConfigValue& value, Diagnostics& out);
// Text of 1–255 characters without control characters: queues, bindings, job types.
std::optional<QString> readName(const ConfigValue& value, Diagnostics& out);
std::optional<bool> readBool(const ConfigValue& value, Diagnostics& out);
// A fraction without a remainder (10.0) is an integer.
std::optional<qint64> readInteger(const ConfigValue& value, qint64 min, qint64 max, const QString& unit,
                                  Diagnostics& out);
std::optional<double> readNumber(const ConfigValue& value, double min, double max, const QString& unit,
                                 Diagnostics& out);
// Both in seconds in the file, milliseconds here. Fractions are kept to the millisecond, or are an error.
std::optional<qint64> readSeconds(const ConfigValue& value, qint64 minSeconds, qint64 maxSeconds,
                                  Diagnostics& out);
std::optional<qint64> readWholeSeconds(const ConfigValue& value, qint64 minSeconds, qint64 maxSeconds,
                                       Diagnostics& out);
// An array of texts, each not empty.
std::optional<QStringList> readTexts(const ConfigValue& value, Diagnostics& out);
bool expectTable(const ConfigValue& value, Diagnostics& out);
bool expectArray(const ConfigValue& value, const QString& ofWhat, Diagnostics& out);

bool isFraction(const ConfigValue& value);
// No control characters and not empty.
bool isCleanText(const QString& text);

} // namespace redrive
