// Plans and results of actions, in words and as JSON lines. The main thread.
#pragma once

#include "core/domain/action.h"

namespace redrive {

void printPlanWords(ActionVerb verb, const ActionPlan& plan);
void printPlanJson(ActionVerb verb, const ActionPlan& plan);
void printResultWords(ActionVerb verb, const ActionResult& result);
// One line for the whole, then one for each refusal.
void printResultJson(ActionVerb verb, const ActionResult& result);

} // namespace redrive
