#include "core/engine/endpoint_actions.h"

#include "core/store/delivery_hold_store.h"

namespace redrive {

Status cancelOpenDeliveries(Cycle& cycle, const CommandGate& gate, const EndpointChange& change)
{
    REDRIVE_ASSIGN(open, delivery_hold_store::openOf(cycle.db, change.id));
    if (open.isEmpty())
        return {};
    ActionRequest request;
    request.verb = ActionVerb::Cancel;
    request.scope.list = ListKind::Deliveries;
    request.scope.ids = open;
    request.actor = change.actor;
    request.source = change.source;
    request.reason = change.reason.isEmpty() ? u"the endpoint was deleted"_s : change.reason;
    REDRIVE_TRY(gate.write(cycle, request));
    return {};
}

} // namespace redrive
