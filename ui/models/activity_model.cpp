#include "ui/models/activity_model.h"

#include "ui/models/activity_words.h"
#include "ui/models/state_words.h"

namespace redrive {

namespace {

enum Place { kWhen, kState, kWho, kWhat, kTarget, kCount, kReason, kOutcome };

QList<Column> activityColumns()
{
    using T = ActivityModel;
    return {
        {u"when"_s, T::tr("When"), CellKind::Instant, 15, false, false, SortField::Newest, true},
        {u"state"_s, T::tr("State"), CellKind::State, 11},
        {u"who"_s, T::tr("Who"), CellKind::Text, 10},
        {u"what"_s, T::tr("What"), CellKind::Text, 18, false, false, SortField::Type},
        {u"target"_s, T::tr("Subject"), CellKind::Text, 34, true},
        {u"count"_s, T::tr("Count"), CellKind::Count, 8},
        {u"reason"_s, T::tr("Reason"), CellKind::Text, 20, false, false, {}, false, true},
        {u"outcome"_s, T::tr("Outcome"), CellKind::Text, 18},
    };
}

QVariant display(const ActivityRow& row, int column)
{
    switch (column) {
    case kState:
        return stateOf(row).word;
    case kWho:
        return activityActor(row);
    case kWhat:
        return activityWord(row);
    case kTarget:
        return cellText(row.target);
    case kCount:
        return row.count;
    case kReason:
        return cellText(row.reason);
    case kOutcome:
        return activityOutcome(row);
    default:
        return {};
    }
}

} // namespace

ActivityModel::ActivityModel(EngineBridge& bridge, QObject* parent)
    : PagedTableModel(bridge, ListKind::Activity, activityColumns(), parent)
{
}

QVariant ActivityModel::cell(const RowValue& value, int column, int role) const
{
    const auto& row = std::get<ActivityRow>(value);
    switch (role) {
    case Qt::DisplayRole:
        return display(row, column);
    case GlyphRole:
        return column == kState ? QVariant(stateOf(row).glyph) : QVariant();
    case InstantRole:
        return column == kWhen ? QVariant(row.atMs) : QVariant();
    case EmphasisRole:
        return column == kWhat || column == kTarget ? QVariant(int(Emphasis::Primary)) : QVariant();
    default:
        return {};
    }
}

} // namespace redrive
