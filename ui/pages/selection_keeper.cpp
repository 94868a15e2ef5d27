#include "ui/pages/selection_keeper.h"

#include "ui/models/paged_table_model.h"
#include "ui/widgets/row_table.h"

#include <QScrollBar>

namespace redrive {

SelectionKeeper::SelectionKeeper(RowTable* table, PagedTableModel* model)
    : QObject(table), m_table(table), m_model(model)
{
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, &SelectionKeeper::remember);
    connect(model, &QAbstractItemModel::modelReset, this, [this] { restore(0, m_model->rowCount() - 1); });
    connect(model, &QAbstractItemModel::rowsAboutToBeInserted, this, &SelectionKeeper::noteTop);
    connect(model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first, int last) {
        keepTop();
        restore(first, last);
    });
    connect(model, &QAbstractItemModel::rowsAboutToBeRemoved, this, &SelectionKeeper::noteTop);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &SelectionKeeper::keepTop);
    connect(model, &PagedTableModel::stateChanged, this, &SelectionKeeper::forgetIfComplete);
}

void SelectionKeeper::remember()
{
    m_wanted.clear();
    m_hasCurrent = false;
    if (!m_table->selectionModel())
        return;
    if (m_table->selectedRowCount() <= kMostRows) {
        const auto ranges = m_table->selectionModel()->selection();
        for (const auto& range : ranges)
            for (int row = range.top(); row <= range.bottom(); ++row)
                m_wanted.emplace(m_model->keyAt(row), true);
    }
    if (const auto current = m_table->currentIndex(); current.isValid()) {
        m_current = m_model->keyAt(current.row());
        m_hasCurrent = true;
        m_wanted.emplace(m_current, false);
    }
}

void SelectionKeeper::restore(int firstRow, int lastRow)
{
    if (m_wanted.empty())
        return;
    QItemSelection found;
    const int lastColumn = m_model->columnCount() - 1;
    for (int row = firstRow; row <= lastRow && !m_wanted.empty(); ++row) {
        const auto wanted = m_wanted.find(m_model->keyAt(row));
        if (wanted == m_wanted.end())
            continue;
        if (wanted->second) {
            if (!found.isEmpty() && found.last().bottom() == row - 1)
                found.last() = QItemSelectionRange(found.last().topLeft(), m_model->index(row, lastColumn));
            else
                found.append(QItemSelectionRange(m_model->index(row, 0), m_model->index(row, lastColumn)));
        }
        if (m_hasCurrent && m_model->keyAt(row) == m_current)
            m_table->selectionModel()->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
        m_wanted.erase(wanted);
    }
    if (!found.isEmpty())
        m_table->selectionModel()->select(found, QItemSelectionModel::Select);
    Q_EMIT restored();
}

void SelectionKeeper::forgetIfComplete()
{
    if (m_model->phase() == ListPhase::Complete)
        m_wanted.clear();
}

void SelectionKeeper::noteTop()
{
    const int row = m_table->rowAt(0);
    m_hasTop = row >= 0 && m_table->verticalScrollBar()->value() > 0;
    if (!m_hasTop)
        return;
    m_topKey = m_model->keyAt(row);
    m_topOffset = m_table->rowViewportPosition(row);
}

void SelectionKeeper::keepTop()
{
    if (!m_hasTop)
        return;
    const int row = m_model->rowOf(m_topKey);
    if (row < 0)
        return;
    m_table->doItemsLayout(); // the scroll bar's range is that of the rows before
    m_table->verticalScrollBar()->setValue(row * m_table->rowHeight(row) - m_topOffset);
}

} // namespace redrive
