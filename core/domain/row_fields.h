// The fields of a listed row under the names that commands and exports give them. Pure; any thread.
#pragma once

#include "core/domain/list.h"

#include <variant>

namespace redrive {

// monostate: the row has none.
using FieldValue = std::variant<std::monostate, qint64, bool, QString>;

struct RowField
{
    const char* name;
    FieldValue value;
};

// The status of a job or a delivery; what a row of a user's own says is given as it is.
template <typename Row>
QString statusOf(const Row& row)
{
    return row.otherStatus.isEmpty() ? toText(row.status) : row.otherStatus;
}

// Always the same names in the same order.
QList<RowField> fieldsOf(const JobRow& row);
QList<RowField> fieldsOf(const TimerRow& row);
QList<RowField> fieldsOf(const LetterRow& row);
QList<RowField> fieldsOf(const DeliveryRow& row);
QList<RowField> fieldsOf(const ActivityRow& row);
QList<RowField> fieldsOf(const TelemetryRow& row);
// Everything that is kept of an attempt; durations are microseconds and null where it did not get so far.
QList<RowField> fieldsOf(const DeliveryAttempt& attempt);

// Bytes under the first name where they are text, else in base64 under the second; null where there are none.
QList<RowField> bodyFields(const char* text, const char* base64, const QByteArray& bytes);

// The row as one line of JSON, without a line end.
QByteArray jsonLineOf(const QList<RowField>& fields);

// One line of CSV with its line end (RFC 4180). A text that a spreadsheet would take for a formula gets an
// apostrophe before it.
QByteArray csvLineOf(const QList<RowField>& fields);
QByteArray csvTitlesOf(const QList<RowField>& fields);

} // namespace redrive
