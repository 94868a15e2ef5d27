#include "ui/models/queues_model.h"

#include "ui/models/column.h"
#include "ui/models/state_words.h"

namespace redrive {

namespace {

enum Place { kState, kName, kWaiting, kDelayed, kInFlight, kOldest, kDead, kNote };

const QList<Column>& queueColumns()
{
    using T = QueuesModel;
    static const QList<Column> columns{
        {u"state"_s, T::tr("State"), CellKind::State, 15},
        {u"name"_s, T::tr("Queue"), CellKind::Text, 22},
        {u"waiting"_s, T::tr("Waiting"), CellKind::Count, 10},
        {u"delayed"_s, T::tr("Delayed"), CellKind::Number, 10},
        {u"in_flight"_s, T::tr("In flight"), CellKind::Number, 10},
        {u"oldest"_s, T::tr("Oldest"), CellKind::Age, 10},
        {u"dead"_s, T::tr("Dead letters"), CellKind::Number, 12},
        {u"note"_s, T::tr("Note"), CellKind::Text, 20, true},
    };
    return columns;
}

StateWord stateOf(const QueueStats& queue)
{
    if (queue.paused)
        return {u"held"_s, QueuesModel::tr("Paused")};
    if (queue.noHandler && queue.waiting > 0)
        return {u"failed"_s, QueuesModel::tr("No handler")};
    if (!queue.hasConsumer)
        return {u"never"_s, QueuesModel::tr("No consumer")};
    if (queue.inFlight > 0)
        return {u"processing"_s, QueuesModel::tr("Working")};
    return queue.waiting > 0 ? StateWord{u"pending"_s, QueuesModel::tr("Waiting")}
                             : StateWord{u"done"_s, QueuesModel::tr("Idle")};
}

QString noteOf(const QueueStats& queue)
{
    if (queue.paused)
        return queue.pausedBy.isEmpty() ? QueuesModel::tr("delivers nothing until it is resumed")
                                        : QueuesModel::tr("paused by %1").arg(cellText(queue.pausedBy));
    if (queue.noHandler)
        return QueuesModel::tr("messages wait: nothing handles them");
    if (!queue.hasConsumer)
        return queue.declared ? QueuesModel::tr("nothing consumes it")
                              : QueuesModel::tr("not in the configuration");
    return {};
}

} // namespace

void QueuesModel::setQueues(const QList<QueueStats>& queues)
{
    QHash<QString, QueueStats> fresh;
    for (const auto& queue : queues)
        fresh.insert(queue.name, queue);
    for (int row = int(m_queues.size()) - 1; row >= 0; --row) {
        if (fresh.contains(m_queues[row].name))
            continue;
        beginRemoveRows({}, row, row);
        m_queues.removeAt(row);
        endRemoveRows();
    }
    for (auto& known : m_queues)
        known = fresh.take(known.name);
    if (!m_queues.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_queues.size()) - 1, columnCount() - 1));
    for (const auto& queue : queues) {
        if (!fresh.contains(queue.name))
            continue;
        const int row = int(m_queues.size());
        beginInsertRows({}, row, row);
        m_queues.append(queue);
        endInsertRows();
    }
}

const QueueStats* QueuesModel::queueAt(int row) const
{
    return row >= 0 && row < m_queues.size() ? &m_queues[row] : nullptr;
}

int QueuesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_queues.size());
}

int QueuesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(queueColumns().size());
}

QVariant QueuesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= queueColumns().size())
        return {};
    const auto& column = queueColumns()[section];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case HeaderKindRole:
        return int(column.kind);
    case HeaderWidthRole:
        return column.width;
    case HeaderStretchRole:
        return column.stretch;
    case HeaderNameRole:
        return column.name;
    default:
        return {};
    }
}

QVariant QueuesModel::text(const QueueStats& queue, int column) const
{
    switch (column) {
    case kState:
        return stateOf(queue).word;
    case kName:
        return cellText(queue.name);
    case kWaiting:
        return queue.waiting;
    case kDelayed:
        return queue.delayed;
    case kInFlight:
        return queue.inFlight;
    case kDead:
        return queue.deadLetters;
    case kNote:
        return noteOf(queue);
    default:
        return {};
    }
}

QVariant QueuesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto& queue = m_queues[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return text(queue, index.column());
    case KindRole:
        return int(queueColumns()[index.column()].kind);
    case GlyphRole:
        return index.column() == kState ? QVariant(stateOf(queue).glyph) : QVariant();
    case InstantRole:
        return index.column() == kOldest ? QVariant(queue.oldestWaitingMs.value_or(0)) : QVariant();
    case EmphasisRole:
        return index.column() == kName ? QVariant(int(Emphasis::Primary)) : QVariant();
    case RowIdRole:
        return queue.name;
    default:
        return {};
    }
}

} // namespace redrive
