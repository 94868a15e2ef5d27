#include "ui/models/telemetry_model.h"

#include "ui/models/format.h"
#include "ui/models/state_words.h"

namespace redrive {

namespace {

enum Place { kTime, kTenant, kSource, kPayload, kSize, kAge, kId };

QList<Column> telemetryColumns()
{
    using T = TelemetryModel;
    return {
        {u"time"_s, T::tr("Time"), CellKind::Instant, 10, false, false, SortField::Newest, true},
        {u"tenant"_s, T::tr("Tenant"), CellKind::Text, 14},
        {u"source"_s, T::tr("Source"), CellKind::Text, 8},
        {u"payload"_s, T::tr("Payload"), CellKind::Text, 40, true},
        {u"size"_s, T::tr("Size"), CellKind::Number, 8, false, false, {}, false, true},
        {u"age"_s, T::tr("Age"), CellKind::Age, 8, false, true},
        {u"id"_s, T::tr("Event"), CellKind::Id, 14, false, true},
    };
}

} // namespace

QString payloadLine(const QString& payload)
{
    return cellText(payload.simplified());
}

TelemetryModel::TelemetryModel(EngineBridge& bridge, QObject* parent)
    : PagedTableModel(bridge, ListKind::Telemetry, telemetryColumns(), parent)
{
}

QVariant TelemetryModel::cell(const RowValue& value, int column, int role) const
{
    const auto& row = std::get<TelemetryRow>(value);
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case kTenant:
            return cellText(row.tenantId);
        case kSource:
            return cellText(row.source);
        case kPayload:
            return payloadLine(row.payload);
        case kSize:
            return format::size(row.payloadBytes);
        case kId:
            return row.id;
        default:
            return {};
        }
    case InstantRole:
        return column == kTime || column == kAge ? QVariant(row.createdAtMs) : QVariant();
    case EmphasisRole:
        return column == kPayload ? QVariant(int(Emphasis::Primary)) : QVariant();
    default:
        return {};
    }
}

} // namespace redrive
