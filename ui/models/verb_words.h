// The words of an operator's action: on its button, in the question before it and in the line after it.
// Window thread.
#pragma once

#include "core/domain/action.h"

namespace redrive {

struct VerbWords
{
    QString verb;        // "Requeue"
    QString icon;        // a name for icon()
    QString will;        // "will be requeued"
    QString consequence; // what it means for what it is done to
};

VerbWords wordsOf(ActionVerb verb);

// "Requeue 1 160 dead letters", "Replay 1 delivery": the exact number on the button.
QString verbWithCount(ActionVerb verb, ListKind list, qint64 count);
// "1 160 dead letters".
QString itemsText(ListKind list, qint64 count);

// "3 of 3 requeued", or "2 of 3 requeued; refused: 01a22cd3…9e41 is processing". Plain text, one line.
QString resultText(ActionVerb verb, const ActionResult& result);

} // namespace redrive
