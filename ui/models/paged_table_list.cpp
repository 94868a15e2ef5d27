// How a paged table follows its list: slices, later readings, merging.
#include "ui/models/key_changes.h"
#include "ui/models/paged_table_model.h"

#include <QScopedValueRollback>

namespace redrive {

namespace {

// Beyond this the table is told anew (views restore selection and place by key): each step costs as much as
// there are rows.
constexpr size_t kMostSteps = 400;
constexpr size_t kMostMoves = 20'000'000;

} // namespace

void PagedTableModel::onSlice(const std::vector<qint64>& keys, bool first, bool last, bool cut)
{
    if (first) {
        m_arrived.clear();
        beginResetModel();
        m_keys = keys;
        m_missing.clear();
        endResetModel();
    } else {
        m_arrived.insert(m_arrived.end(), keys.begin(), keys.end());
    }
    m_cut = cut;
    m_phase = ListPhase::Filling;
    // Views pay for every insertion with all the rows they have: later slices come in together.
    if (first && !last)
        fetchVisible();
    if (last)
        takeArrived(true);
    else if (!m_arrival.isActive())
        m_arrival.start();
}

void PagedTableModel::takeArrived(bool complete)
{
    m_arrival.stop();
    if (!m_arrived.empty()) {
        const int at = int(m_keys.size());
        beginInsertRows({}, at, at + int(m_arrived.size()) - 1);
        m_keys.insert(m_keys.end(), m_arrived.begin(), m_arrived.end());
        endInsertRows();
        m_arrived.clear();
    }
    if (complete)
        m_phase = ListPhase::Complete;
    fetchVisible();
    Q_EMIT stateChanged();
}

void PagedTableModel::onFailed(const Error& error)
{
    m_error = error;
    m_phase = ListPhase::Failed;
    Q_EMIT stateChanged();
}

void PagedTableModel::onReadAgain(const std::vector<qint64>& keys, bool cut)
{
    m_cut = cut;
    if (m_held) {
        hold(keys);
    } else {
        apply(keys);
        forgetNews();
    }
    m_dropGone = false;
    m_missing.clear();
    fetchVisible();
    Q_EMIT stateChanged();
    mergeIfLetGo();
}

void PagedTableModel::hold(const std::vector<qint64>& keys)
{
    const auto changes = keyChanges(m_keys, keys);
    m_gone.clear();
    for (const auto& range : changes.removed)
        for (int row = range.first; row < range.first + range.count; ++row)
            m_gone.insert(m_keys[size_t(row)]);
    if (m_dropGone && !m_gone.isEmpty()) {
        std::vector<qint64> left;
        left.reserve(m_keys.size());
        for (const qint64 key : m_keys)
            if (!m_gone.contains(key))
                left.push_back(key);
        apply(left);
        m_gone.clear();
    }
    int added = 0;
    for (const auto& range : changes.inserted)
        added += range.count;
    m_later = keys;
    countNew(added, false);
    announceWatched({EmphasisRole});
}

void PagedTableModel::onHeadRead(const std::vector<qint64>& keys)
{
    m_dropGone = false;
    const auto known = m_keys.empty() ? keys.end() : std::find(keys.begin(), keys.end(), m_keys.front());
    const bool reached = known != keys.end();
    if (!reached && keys.size() < size_t(ListReader::kLongestHead)) {
        m_reader.lengthenHead();
        return;
    }
    if (!reached && !m_held) {
        reload();
        return;
    }
    m_laterHead.assign(keys.begin(), known);
    countNew(int(m_laterHead.size()), !reached);
    if (!m_held && !m_laterHead.empty()) {
        const auto head = std::exchange(m_laterHead, {});
        applyStep({0, int(head.size())}, &head);
        m_reader.setLength(m_keys.size());
        forgetNews();
    }
    fetchVisible();
    Q_EMIT stateChanged();
    mergeIfLetGo();
}

void PagedTableModel::mergeIfLetGo()
{
    if (!m_held && (m_later || !m_laterHead.empty()))
        merge();
}

void PagedTableModel::countNew(int rows, bool more)
{
    if (rows > 0 && m_newRows == 0)
        m_newSinceMs = m_bridge.nowMs();
    m_newRows = rows;
    m_moreNew = more;
}

void PagedTableModel::apply(const std::vector<qint64>& keys)
{
    const QScopedValueRollback changing(m_changing, true);
    const auto changes = keyChanges(m_keys, keys);
    if (changes.steps() > kMostSteps || changes.steps() * keys.size() > kMostMoves) {
        beginResetModel();
        m_keys = keys;
        endResetModel();
        return;
    }
    for (const auto& range : changes.removed)
        applyStep(range, nullptr);
    if (changes.reordered)
        reorder(changes.staying);
    for (const auto& range : changes.inserted)
        applyStep(range, &keys);
}

// Takes the rows of the range out, or puts those of `from` in at the same positions.
void PagedTableModel::applyStep(const KeyRange& range, const std::vector<qint64>* from)
{
    const QScopedValueRollback changing(m_changing, true);
    const auto at = [&] { return m_keys.begin() + range.first; };
    const int last = range.first + range.count - 1;
    if (from) {
        beginInsertRows({}, range.first, last);
        m_keys.insert(at(), from->begin() + range.first, from->begin() + range.first + range.count);
        endInsertRows();
    } else {
        beginRemoveRows({}, range.first, last);
        m_keys.erase(at(), at() + range.count);
        endRemoveRows();
    }
}

void PagedTableModel::reorder(const std::vector<qint64>& keys)
{
    Q_EMIT layoutAboutToBeChanged();
    const auto before = persistentIndexList();
    QList<qint64> keyOf;
    QHash<qint64, int> rowNow;
    for (const auto& index : before) {
        keyOf.append(m_keys[size_t(index.row())]);
        rowNow.insert(keyOf.back(), -1);
    }
    m_keys = keys;
    for (size_t row = 0; row < m_keys.size(); ++row)
        if (const auto it = rowNow.find(m_keys[row]); it != rowNow.end())
            it.value() = int(row);
    QModelIndexList after;
    for (int i = 0; i < before.size(); ++i)
        after.append(index(rowNow.value(keyOf[i]), before[i].column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

} // namespace redrive
