// Jobs, newest first. Window thread.
#pragma once

#include "ui/models/paged_table_model.h"

namespace redrive {

class JobsModel final : public PagedTableModel
{
    Q_OBJECT
public:
    explicit JobsModel(EngineBridge& bridge, QObject* parent = nullptr);

protected:
    QVariant cell(const RowValue& row, int column, int role) const override;
    CellKind kindOf(const RowValue& row, int column) const override;
};

} // namespace redrive
