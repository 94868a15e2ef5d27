// The queues with what waits in them, as the counts say. Window thread.
#pragma once

#include "core/domain/overview.h"

#include <QAbstractTableModel>

namespace redrive {

class QueuesModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    // Queues keep their row; new ones come after, unknown ones go.
    void setQueues(const QList<QueueStats>& queues);
    const QueueStats* queueAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant text(const QueueStats& queue, int column) const;

    QList<QueueStats> m_queues;
};

} // namespace redrive
