// Deliveries: one event for one endpoint each, newest first. Window thread.
#pragma once

#include "ui/models/paged_table_model.h"

namespace redrive {

class DeliveriesModel final : public PagedTableModel
{
    Q_OBJECT
public:
    explicit DeliveriesModel(EngineBridge& bridge, QObject* parent = nullptr);

protected:
    QVariant cell(const RowValue& row, int column, int role) const override;
    CellKind kindOf(const RowValue& row, int column) const override;
};

} // namespace redrive
