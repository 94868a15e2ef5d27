#include "ui/models/jobs_model.h"

#include "ui/models/state_words.h"
#include "ui/models/why_text.h"

namespace redrive {

namespace {

enum Place {
    kState,
    kId,
    kType,
    kQueue,
    kError,
    kAttempt,
    kNext,
    kUpdated,
    kCreated,
    kRun,
    kSize,
    kDeliveries,
    kWhy
};

QList<Column> jobColumns()
{
    using T = JobsModel;
    return {
        {u"state"_s, T::tr("State"), CellKind::State, 11, false, false, SortField::State},
        {u"id"_s, T::tr("Job"), CellKind::Id, 13},
        {u"type"_s, T::tr("Type"), CellKind::Text, 15, false, false, SortField::Type},
        {u"queue"_s, T::tr("Queue"), CellKind::Text, 10, false, false, SortField::Queue},
        {u"error"_s, T::tr("Error"), CellKind::Text, 30, true, false, SortField::Error},
        {u"attempt"_s, T::tr("Attempt"), CellKind::Number, 8, false, false, SortField::Attempts, true},
        {u"next"_s, T::tr("Next/age"), CellKind::Age, 11, false, false, SortField::Newest, true},
        {u"updated"_s, T::tr("Updated"), CellKind::Age, 9, false, false, SortField::Updated, true, true},
        {u"created"_s, T::tr("Created"), CellKind::Instant, 11, false, true},
        {u"run"_s, T::tr("Run"), CellKind::Number, 6, false, true},
        {u"size"_s, T::tr("Payload"), CellKind::Number, 11, false, true},
        {u"deliveries"_s, T::tr("Deliveries"), CellKind::Text, 22, false, true},
        {u"why"_s, T::tr("Why"), CellKind::Text, 34, false, true},
    };
}

QString deliveriesText(const JobRow& row)
{
    if (row.deliveries == 0)
        return {};
    auto text = JobsModel::tr("%n delivery(s)", nullptr, row.deliveries);
    if (row.deliveriesOpen > 0)
        text += JobsModel::tr(", %1 open").arg(row.deliveriesOpen);
    if (row.deliveriesDead > 0)
        text += JobsModel::tr(", %1 dead").arg(row.deliveriesDead);
    return text;
}

} // namespace

JobsModel::JobsModel(EngineBridge& bridge, QObject* parent)
    : PagedTableModel(bridge, ListKind::Jobs, jobColumns(), parent)
{
}

CellKind JobsModel::kindOf(const RowValue& value, int column) const
{
    return column == kNext && std::get<JobRow>(value).dueAtMs ? CellKind::Countdown
                                                              : PagedTableModel::kindOf(value, column);
}

QVariant JobsModel::cell(const RowValue& value, int column, int role) const
{
    const auto& row = std::get<JobRow>(value);
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case kState:
            return stateOf(row).word;
        case kId:
            return row.id;
        case kType:
            return cellText(row.type);
        case kQueue:
            return cellText(row.queue);
        case kError:
            return cellText(row.error);
        case kAttempt:
            return attemptText(row.attempts, row.maxAttempts);
        case kRun:
            return row.run;
        case kSize:
            return format::size(row.payloadBytes);
        case kDeliveries:
            return deliveriesText(row);
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
        if (column == kUpdated)
            return row.updatedAtMs;
        return column == kCreated ? QVariant(row.createdAtMs) : QVariant();
    case EmphasisRole:
        return column == kType || column == kError ? QVariant(int(Emphasis::Primary)) : QVariant();
    case ErrorTextRole:
        return column == kError ? QVariant(row.error) : QVariant();
    default:
        return {};
    }
}

} // namespace redrive
