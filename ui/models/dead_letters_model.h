// Dead letters, or with setKind(ListKind::Bin) those that were discarded. Window thread.
#pragma once

#include "ui/models/paged_table_model.h"

namespace redrive {

class DeadLettersModel final : public PagedTableModel
{
    Q_OBJECT
public:
    explicit DeadLettersModel(EngineBridge& bridge, QObject* parent = nullptr);

protected:
    int columnFor(SortField field) const override;
    QVariant cell(const RowValue& row, int column, int role) const override;
};

} // namespace redrive
