#include "ui/models/deliveries_model.h"

#include "ui/models/state_words.h"
#include "ui/models/why_text.h"

namespace redrive {

namespace {

enum Place { kState, kEvent, kType, kEndpoint, kError, kAttempt, kNext, kUpdated, kJob, kId, kUrl, kWhy };

QList<Column> deliveryColumns()
{
    using T = DeliveriesModel;
    return {
        {u"state"_s, T::tr("State"), CellKind::State, 11, false, false, SortField::State},
        {u"event"_s, T::tr("Event"), CellKind::Id, 13},
        {u"type"_s, T::tr("Event type"), CellKind::Text, 14, false, false, SortField::Type},
        {u"endpoint"_s, T::tr("Endpoint"), CellKind::Text, 13, false, false, SortField::Endpoint},
        {u"error"_s, T::tr("Error"), CellKind::Text, 30, true, false, SortField::Error},
        {u"attempt"_s, T::tr("Attempt"), CellKind::Number, 8, false, false, SortField::Attempts, true},
        {u"next"_s, T::tr("Next/age"), CellKind::Age, 11, false, false, SortField::Newest, true},
        {u"updated"_s, T::tr("Updated"), CellKind::Age, 9, false, false, SortField::Updated, true, true},
        {u"job"_s, T::tr("Job"), CellKind::Id, 15, false, true},
        {u"id"_s, T::tr("Delivery"), CellKind::Id, 15, false, true},
        {u"url"_s, T::tr("Address"), CellKind::Text, 30, false, true},
        {u"why"_s, T::tr("Why"), CellKind::Text, 34, false, true},
    };
}

} // namespace

DeliveriesModel::DeliveriesModel(EngineBridge& bridge, QObject* parent)
    : PagedTableModel(bridge, ListKind::Deliveries, deliveryColumns(), parent)
{
}

CellKind DeliveriesModel::kindOf(const RowValue& value, int column) const
{
    return column == kNext && std::get<DeliveryRow>(value).dueAtMs ? CellKind::Countdown
                                                                   : PagedTableModel::kindOf(value, column);
}

QVariant DeliveriesModel::cell(const RowValue& value, int column, int role) const
{
    const auto& row = std::get<DeliveryRow>(value);
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case kState:
            return stateOf(row).word;
        case kEvent:
            return row.eventId;
        case kType:
            return cellText(row.eventType);
        case kEndpoint:
            return cellText(row.endpointId);
        case kError:
            return cellText(row.error);
        case kAttempt:
            return attemptText(row.attempts, qMax(row.attempts, row.budget + row.attempts - row.spent));
        case kJob:
            return row.jobId;
        case kId:
            return row.id;
        case kUrl:
            return cellText(row.url);
        case kWhy:
            return whyText(row, {bridge().nowMs()});
        default:
            return {};
        }
    case GlyphRole:
        return column == kState ? QVariant(stateOf(row).glyph) : QVariant();
    case InstantRole:
        if (column == kNext)
            return row.dueAtMs.value_or(row.createdAtMs);
        return column == kUpdated ? QVariant(row.updatedAtMs) : QVariant();
    case EmphasisRole:
        return column == kEndpoint || column == kError ? QVariant(int(Emphasis::Primary)) : QVariant();
    case ErrorTextRole:
        return column == kError ? QVariant(row.error) : QVariant();
    default:
        return {};
    }
}

} // namespace redrive
