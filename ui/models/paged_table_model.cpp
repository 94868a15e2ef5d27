#include "ui/models/paged_table_model.h"

#include "ui/models/key_changes.h"

namespace redrive {

PagedTableModel::PagedTableModel(EngineBridge& bridge, ListKind kind, QList<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), m_bridge(bridge), m_columns(std::move(columns)),
      m_reader(bridge, u"list.%1"_s.arg(reinterpret_cast<quintptr>(this), 0, 16))
{
    m_request.kind = kind;
    m_reader.setPaused(true);
    connect(&m_reader, &ListReader::sliceCame, this, &PagedTableModel::onSlice);
    connect(&m_reader, &ListReader::searched, this, [this](qint64 rows) {
        m_searched = rows;
        if (m_phase == ListPhase::Waiting || m_phase == ListPhase::Filling)
            Q_EMIT stateChanged();
    });
    connect(&m_reader, &ListReader::failed, this, &PagedTableModel::onFailed);
    connect(&m_reader, &ListReader::readAgain, this, &PagedTableModel::onReadAgain);
    connect(&m_reader, &ListReader::headRead, this, &PagedTableModel::onHeadRead);
    connect(&m_bridge, &EngineBridge::changed, this, &PagedTableModel::onChanged);
    m_arrival.setSingleShot(true);
    m_arrival.setInterval(kArrivalMs);
    connect(&m_arrival, &QTimer::timeout, this, [this] { takeArrived(false); });
    m_flashEnd.setSingleShot(true);
    m_flashEnd.setInterval(kFlashMs);
    connect(&m_flashEnd, &QTimer::timeout, this, [this] { announceWatched({FlashUntilRole}); });
}

void PagedTableModel::setKind(ListKind kind)
{
    if (kind == m_request.kind)
        return;
    m_request.kind = kind;
    m_cache.clear();
    reload();
}

void PagedTableModel::setFilter(const QString& filter)
{
    if (filter == m_request.filter)
        return;
    m_request.filter = filter;
    reload();
}

CellKind PagedTableModel::kindOf(const RowValue&, int column) const
{
    return m_columns[column].kind;
}

int PagedTableModel::columnFor(SortField field) const
{
    for (int i = 0; i < m_columns.size(); ++i)
        if (m_columns[i].order == field)
            return i;
    return -1;
}

void PagedTableModel::setOrder(SortField field, bool ascending)
{
    if (columnFor(field) < 0 || (field == m_request.sort && ascending == m_request.ascending))
        return;
    m_request.sort = field;
    m_request.ascending = ascending;
    reload();
    Q_EMIT stateChanged();
}

void PagedTableModel::sort(int column, Qt::SortOrder order)
{
    if (column >= 0 && column < m_columns.size() && m_columns[column].order)
        setOrder(*m_columns[column].order, order == Qt::AscendingOrder);
}

int PagedTableModel::sortColumn() const
{
    return columnFor(m_request.sort);
}

void PagedTableModel::reload()
{
    if (!m_active) {
        m_phase = ListPhase::Idle;
        return;
    }
    m_phase = ListPhase::Waiting;
    m_stopped = false;
    m_searched = 0;
    m_arrival.stop();
    m_arrived.clear();
    forgetNews();
    m_fetch.cancel();
    m_fetching = false;
    m_cache.makeStale();
    m_reader.open(m_request);
    Q_EMIT stateChanged();
}

void PagedTableModel::stopSearch()
{
    if (m_phase != ListPhase::Waiting && m_phase != ListPhase::Filling)
        return;
    m_reader.stop();
    m_stopped = true;
    if (m_phase == ListPhase::Waiting) { // the rows that stand are of the question before
        beginResetModel();
        m_keys.clear();
        endResetModel();
    }
    takeArrived(true);
}

void PagedTableModel::setActive(bool active)
{
    if (active == m_active)
        return;
    m_active = active;
    m_reader.setPaused(!active);
    if (!active)
        return;
    if (m_phase == ListPhase::Idle || m_phase == ListPhase::Failed) {
        reload();
        return;
    }
    m_cache.makeStale();
    fetchVisible();
    m_reader.touch();
}

void PagedTableModel::setHeld(bool held)
{
    if (held == m_held)
        return;
    m_held = held;
    if (!held)
        merge();
}

void PagedTableModel::merge()
{
    if (m_changing)
        return; // a view let go while it was told of a change: whoever makes the change goes on with this
    if (const auto later = std::exchange(m_later, std::nullopt))
        apply(*later);
    else if (!m_laterHead.empty()) {
        const KeyRange range{0, int(m_laterHead.size())};
        const auto head = std::exchange(m_laterHead, {});
        applyStep(range, &head);
        m_reader.setLength(m_keys.size());
    }
    const bool more = m_moreNew;
    forgetNews();
    Q_EMIT stateChanged();
    if (more)
        reload();
    else
        m_reader.touch();
}

void PagedTableModel::dropGone()
{
    m_dropGone = true;
    m_reader.readNow();
}

void PagedTableModel::forgetNews()
{
    m_later.reset();
    m_laterHead.clear();
    m_gone.clear();
    m_newRows = 0;
    m_moreNew = false;
    m_newSinceMs = 0;
}

int PagedTableModel::loadedRows() const
{
    return int(loadedKeys().size());
}

QList<qint64> PagedTableModel::loadedKeys() const
{
    QList<qint64> loaded;
    for (const qint64 key : m_keys) {
        if (m_cache.find(key))
            loaded.append(key);
        if (loaded.size() == m_cache.size())
            break;
    }
    return loaded;
}

qint64 PagedTableModel::keyAt(int row) const
{
    return m_keys[size_t(row)];
}

int PagedTableModel::rowOf(qint64 key) const
{
    const auto it = std::find(m_keys.begin(), m_keys.end(), key);
    return it == m_keys.end() ? -1 : int(it - m_keys.begin());
}

const RowValue* PagedTableModel::rowAt(int row) const
{
    return row >= 0 && row < int(m_keys.size()) ? rowFor(m_keys[size_t(row)]) : nullptr;
}

const RowValue* PagedTableModel::rowFor(qint64 key) const
{
    const auto* cached = m_cache.find(key);
    return cached ? &cached->value : nullptr;
}

int PagedTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_keys.size());
}

int PagedTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant PagedTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size())
        return {};
    const auto& column = m_columns[section];
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
    case HeaderHiddenRole:
        return column.hidden;
    default:
        return {};
    }
}

QVariant PagedTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const qint64 key = m_keys[size_t(index.row())];
    if (role == RowKeyRole)
        return key;
    const auto* row = m_cache.find(key);
    if (!row) {
        if (role == KindRole)
            return int(m_columns[index.column()].kind);
        if (role == PlaceholderRole)
            return !m_missing.contains(key);
        return role == Qt::DisplayRole ? QVariant(m_missing.contains(key) ? u"–"_s : u"…"_s) : QVariant();
    }
    switch (role) {
    case KindRole:
        return int(kindOf(row->value, index.column()));
    case PlaceholderRole:
        return false;
    case RowIdRole:
        return rowId(row->value);
    case FlashUntilRole:
        return row->changedColumns & (1ull << index.column()) ? QVariant(row->flashUntilMs) : QVariant();
    case EmphasisRole:
        if (row->gone || m_gone.contains(key))
            return int(Emphasis::Tertiary);
        break;
    default:
        break;
    }
    return cell(row->value, index.column(), role);
}

bool PagedTableModel::concerns(const ChangeSet& changes) const
{
    if (changes.everything)
        return true;
    switch (m_request.kind) {
    case ListKind::Jobs:
    case ListKind::Timers:
        return changes.jobs || changes.deliveries;
    case ListKind::DeadLetters:
    case ListKind::Bin:
        return changes.letters;
    case ListKind::Deliveries:
        return changes.deliveries;
    case ListKind::Activity:
        return changes.operations || changes.alerts;
    case ListKind::Telemetry:
        return changes.telemetry;
    }
    return true;
}

void PagedTableModel::onChanged(const ChangeSet& changes)
{
    if (!m_active || !concerns(changes))
        return;
    if (m_fetching)
        m_meanwhile.merge(changes);
    else
        makeStale(changes);
    fetchVisible();
    m_reader.touch();
}

void PagedTableModel::makeStale(const ChangeSet& changes)
{
    // What comes of an alert changes its row, and names no job.
    if (changes.everything || (m_request.kind == ListKind::Activity && changes.alerts)) {
        m_cache.makeStale();
        return;
    }
    const auto keys = m_cache.keys();
    for (const qint64 key : keys)
        if (const auto* row = m_cache.find(key); row && changes.ids.contains(rowId(row->value)))
            m_cache.makeStale(key);
}

} // namespace redrive
