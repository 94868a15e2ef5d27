#include "ui/models/timers_model.h"

#include "ui/models/state_words.h"

namespace redrive {

namespace {

enum Place { kState, kId, kType, kWhere, kError, kAttempt, kDue, kDueAt, kUpdated };

QList<Column> timerColumns()
{
    using T = TimersModel;
    return {
        {u"state"_s, T::tr("State"), CellKind::State, 11},
        {u"id"_s, T::tr("Job or delivery"), CellKind::Id, 14},
        {u"type"_s, T::tr("Type"), CellKind::Text, 15, false, false, SortField::Type},
        {u"where"_s, T::tr("Where"), CellKind::Text, 13},
        {u"error"_s, T::tr("Last error"), CellKind::Text, 30, true, false, SortField::Error},
        {u"attempt"_s, T::tr("Attempt"), CellKind::Number, 8, false, false, SortField::Attempts, true},
        {u"due"_s, T::tr("Due in"), CellKind::Countdown, 9, false, false, SortField::Due},
        {u"due_at"_s, T::tr("Due at"), CellKind::Instant, 11, false, false, {}, false, true},
        {u"updated"_s, T::tr("Updated"), CellKind::Age, 9, false, true, SortField::Updated, true},
    };
}

} // namespace

TimersModel::TimersModel(EngineBridge& bridge, QObject* parent)
    : PagedTableModel(bridge, ListKind::Timers, timerColumns(), parent)
{
    setOrder(SortField::Due, true);
}

QVariant TimersModel::cell(const RowValue& value, int column, int role) const
{
    const auto& row = std::get<TimerRow>(value);
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case kState:
            return stateOf(row).word;
        case kId:
            return row.id;
        case kType:
            return cellText(row.type);
        case kWhere:
            return row.isDelivery ? cellText(row.endpointId) : tr("queue %1").arg(cellText(row.queue));
        case kError:
            return cellText(row.error);
        case kAttempt:
            return attemptText(row.attempts, row.maxAttempts);
        default:
            return {};
        }
    case GlyphRole:
        return column == kState ? QVariant(stateOf(row).glyph) : QVariant();
    case InstantRole:
        if (column == kDue || column == kDueAt)
            return row.dueAtMs;
        return column == kUpdated ? QVariant(row.updatedAtMs) : QVariant();
    case EmphasisRole:
        return column == kType || column == kError || column == kDue ? QVariant(int(Emphasis::Primary))
                                                                     : QVariant();
    case ErrorTextRole:
        return column == kError ? QVariant(row.error) : QVariant();
    default:
        return {};
    }
}

} // namespace redrive
