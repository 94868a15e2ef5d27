// An event and an endpoint that never got it, as one item of an operator's selection: "EVENT:ENDPOINT". Pure;
// any thread.
#pragma once

#include <QString>

#include <optional>

namespace redrive {

struct MissedEvent
{
    QString eventId; // without a colon; an endpoint's id may have one
    QString endpointId;
};

QString toText(const MissedEvent& missed);
// Nothing: it does not name both.
std::optional<MissedEvent> missedEventFrom(const QString& text);

} // namespace redrive
