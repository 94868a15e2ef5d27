// Retry timers: jobs and deliveries that wait for a due time, the next one first. Window thread.
#pragma once

#include "ui/models/paged_table_model.h"

namespace redrive {

class TimersModel final : public PagedTableModel
{
    Q_OBJECT
public:
    explicit TimersModel(EngineBridge& bridge, QObject* parent = nullptr);

protected:
    QVariant cell(const RowValue& row, int column, int role) const override;
};

} // namespace redrive
