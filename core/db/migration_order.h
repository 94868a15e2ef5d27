// Order and choice of a user's migration files, as D1 has them. Pure.
#pragma once

#include <QRegularExpression>
#include <QString>

namespace redrive {

// By the leading integer of each path segment, numbered before unnumbered, ties by plain text.
bool migrationComesBefore(const QString& left, const QString& right);

// A pattern of path segments: * and ? stay within a segment, ** stands for any number of them, {a,b} for
// either.
QRegularExpression migrationPattern(const QString& pattern);

// D1 writes the pattern from the folder of the configuration on ("migrations/*/up.sql"); the answer begins
// inside the migrations folder ("*/up.sql"). A pattern that does so already is unchanged.
QString patternInside(const QString& folder, const QString& pattern);

} // namespace redrive
