#include "core/domain/missed_event.h"

namespace redrive {

QString toText(const MissedEvent& missed)
{
    return missed.eventId + QLatin1Char(':') + missed.endpointId;
}

std::optional<MissedEvent> missedEventFrom(const QString& text)
{
    const qsizetype colon = text.indexOf(QLatin1Char(':'));
    if (colon <= 0 || colon + 1 == text.size())
        return std::nullopt;
    return MissedEvent{text.left(colon), text.mid(colon + 1)};
}

} // namespace redrive
