// The glyph and the word of a state, and the words of reasons: the same in rows, badges and sentences. Window
// thread.
#pragma once

#include "ui/models/row_value.h"

namespace redrive {

struct StateWord
{
    QString glyph; // a name for stateGlyph()
    QString word;
};

StateWord stateOf(const JobRow& row);
StateWord stateOf(const TimerRow& row);
StateWord stateOf(const LetterRow& row); // its reason while it is open
StateWord stateOf(const DeliveryRow& row);
StateWord stateOf(const ActivityRow& row);
StateWord stateOf(const TelemetryRow& row); // none
StateWord stateOf(const RowValue& row);
StateWord stateOfOutcome(const QString& outcome); // of an attempt of a job or delivery

// "Retries used up"; an unknown code is shown as it is.
QString reasonWord(const QString& code);

// "4/4", "2" when the limit is unknown, an en dash before the first.
QString attemptText(int attempts, int limit);
// Text from outside for one cell: the first line, at most 300 characters.
QString cellText(const QString& text);

} // namespace redrive
