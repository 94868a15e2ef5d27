#include "ui/models/queues_model.h"

#include "ui/models/column.h"
#include "ui/models/format.h"

namespace redrive {

namespace {

enum Place {
    kState,
    kName,
    kWaiting,
    kDelayed,
    kInFlight,
    kBatches,
    kRate,
    kFailing,
    kOldest,
    kSize,
    kDead,
    kNote
};

const QList<Column>& queueColumns()
{
    using T = QueuesModel;
    static const QList<Column> columns{
        {u"state"_s, T::tr("State"), CellKind::State, 14},
        {u"name"_s, T::tr("Queue"), CellKind::Text, 18},
        {u"waiting"_s, T::tr("Waiting"), CellKind::Count, 9},
        {u"delayed"_s, T::tr("Delayed"), CellKind::Number, 9},
        {u"in_flight"_s, T::tr("In flight"), CellKind::Number, 8},
        {u"batches"_s, T::tr("Batches"), CellKind::Number, 8},
        {u"rate"_s, T::tr("Done/s"), CellKind::Number, 8},
        {.name = u"failing"_s,
         .title = T::tr("Failed/s"),
         .kind = CellKind::Number,
         .width = 9,
         .spare = true},
        {u"oldest"_s, T::tr("Oldest"), CellKind::Age, 8},
        {.name = u"size"_s, .title = T::tr("Size"), .kind = CellKind::Number, .width = 10, .spare = true},
        {u"dead"_s, T::tr("Dead letters"), CellKind::Number, 11},
        {u"note"_s, T::tr("Note"), CellKind::Text, 16, true},
    };
    return columns;
}

QString rate(double perSecond)
{
    return format::number(perSecond, perSecond > 0 && perSecond < 10 ? 1 : 0);
}

QString batchesOf(const QueueStats& queue)
{
    if (queue.batchLimit == 0)
        return format::unknown();
    return u"%1/%2"_s.arg(queue.batches).arg(queue.batchLimit);
}

} // namespace

StateWord stateOfQueue(const QueueStats& queue)
{
    if (queue.paused)
        return {u"held"_s, QueuesModel::tr("Paused")};
    if (queue.noHandler && queue.waiting > 0)
        return {u"failed"_s, QueuesModel::tr("No handler")};
    if (queue.consumption.pulled)
        return {u"never"_s, QueuesModel::tr("Pulled")};
    if (!queue.hasConsumer)
        return {u"never"_s, QueuesModel::tr("No consumer")};
    if (queue.inFlight > 0)
        return {u"processing"_s, QueuesModel::tr("Working")};
    return queue.waiting > 0 ? StateWord{u"pending"_s, QueuesModel::tr("Waiting")}
                             : StateWord{u"done"_s, QueuesModel::tr("Idle")};
}

QString whyOfQueue(const QueueStats& queue)
{
    if (queue.paused)
        return queue.pausedBy.isEmpty() ? QueuesModel::tr("delivers nothing until it is resumed")
                                        : QueuesModel::tr("paused by %1").arg(cellText(queue.pausedBy));
    if (queue.noHandler)
        return QueuesModel::tr("messages wait: nothing handles them");
    if (queue.consumption.pulled)
        return QueuesModel::tr("pulled over HTTP: nothing is delivered");
    if (!queue.hasConsumer)
        return queue.declared ? QueuesModel::tr("nothing consumes it")
                              : QueuesModel::tr("not in the configuration");
    return {};
}

namespace {

QString filterOf(const QString& field, const QString& value)
{
    auto quoted = value;
    quoted.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    return field + u":\""_s + quoted + u'"';
}

} // namespace

QString queueFilter(const QString& queue)
{
    return filterOf(u"queue"_s, queue);
}

QString endpointFilter(const QString& endpointId)
{
    return filterOf(u"endpoint"_s, endpointId);
}

void QueuesModel::setFilter(const FilterNode& filter)
{
    m_filter = filter;
    setQueues(QList<QueueStats>(m_all));
}

void QueuesModel::setQueues(const QList<QueueStats>& queues)
{
    m_all = queues;
    QHash<QString, QueueStats> fresh;
    for (const auto& queue : queues)
        if (matchesName(m_filter, {queue.name, {}, {}}))
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
    case HeaderSpareRole:
        return column.spare;
    default:
        return {};
    }
}

QVariant QueuesModel::text(const QueueStats& queue, int column) const
{
    switch (column) {
    case kState:
        return stateOfQueue(queue).word;
    case kName:
        return cellText(queue.name);
    case kWaiting:
        return queue.waiting;
    case kDelayed:
        return queue.delayed;
    case kInFlight:
        return queue.inFlight;
    case kBatches:
        return batchesOf(queue);
    case kRate:
        return rate(queue.donePerSecond);
    case kFailing:
        return rate(queue.failedPerSecond);
    case kSize:
        return format::size(queue.backlogBytes);
    case kDead:
        return queue.deadLetters;
    case kNote:
        return whyOfQueue(queue);
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
        return index.column() == kState ? QVariant(stateOfQueue(queue).glyph) : QVariant();
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
