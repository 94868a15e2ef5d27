// Telemetry: rows of system_telemetry, the newest first. Window thread.
#pragma once

#include "ui/models/paged_table_model.h"

namespace redrive {

class TelemetryModel final : public PagedTableModel
{
    Q_OBJECT
public:
    explicit TelemetryModel(EngineBridge& bridge, QObject* parent = nullptr);

protected:
    QVariant cell(const RowValue& row, int column, int role) const override;
};

// A payload on one line: what parts its words is one space each.
QString payloadLine(const QString& payload);

} // namespace redrive
