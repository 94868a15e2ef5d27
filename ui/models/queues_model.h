// The queues with what waits in them, as the counts say. Window thread.
#pragma once

#include "core/domain/name_filter.h"
#include "core/domain/overview.h"
#include "ui/models/state_words.h"

#include <QAbstractTableModel>

namespace redrive {

class QueuesModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    // Queues keep their row; new ones come after, unknown ones go.
    void setQueues(const QList<QueueStats>& queues);
    // Shows only what matches.
    void setFilter(const FilterNode& filter);
    const QueueStats* queueAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant text(const QueueStats& queue, int column) const;

    QList<QueueStats> m_all;
    FilterNode m_filter;
    QList<QueueStats> m_queues; // those that match
};

StateWord stateOfQueue(const QueueStats& queue);
// Why it delivers nothing, or what it waits for; empty where there is nothing to say.
QString whyOfQueue(const QueueStats& queue);
// A filter for the lists: the rows of this queue.
QString queueFilter(const QString& queue);
// The same for the deliveries of an endpoint.
QString endpointFilter(const QString& endpointId);

} // namespace redrive
