// What operators did and what alerts told, the latest first. Window thread.
#pragma once

#include "ui/models/paged_table_model.h"

namespace redrive {

class ActivityModel final : public PagedTableModel
{
    Q_OBJECT
public:
    explicit ActivityModel(EngineBridge& bridge, QObject* parent = nullptr);

protected:
    QVariant cell(const RowValue& row, int column, int role) const override;
};

} // namespace redrive
