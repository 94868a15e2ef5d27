// The table of the console: one row height, one delegate, no vertical header, widths that only the operator
// changes. Window thread. Give it any model that answers the roles of ui/models/roles.h and sorts in the
// database by sort().
#pragma once

#include "core/base/clock.h"
#include "ui/models/format.h"
#include "ui/models/roles.h"

#include <QTableView>
#include <QTimer>

class QAction;

namespace redrive {

class RowDelegate;

class RowTable final : public QTableView
{
    Q_OBJECT
public:
    explicit RowTable(const QString& accessibleName, QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    void setClock(const Clock* clock); // borrowed; nothing: the system's
    void setZone(format::Zone zone);
    // Text in tertiary: what is shown is old, because the source is gone.
    void setStale(bool stale);
    // Shows the order without sorting.
    void showSort(int column, Qt::SortOrder order);
    // The action's shortcut then acts only while this table has the focus.
    void addLetterAction(QAction* action);
    // Shown under the header, left aligned, while it is set; the page decides when (0 rows and loaded).
    // Owned.
    void setEmptyState(QWidget* widget);

    // As the header's menu does: the rest takes the room.
    void setColumnShown(int column, bool shown);
    // Widths, order and hidden columns by HeaderNameRole; unknown names are ignored.
    QByteArray saveColumns() const;
    void restoreColumns(const QByteArray& state);

    QString currentRowId() const;            // RowIdRole of the current row
    std::pair<int, int> visibleRows() const; // first and last; last < first: none
    int selectedRowCount() const;            // cheap for "all"
    void selectFirstRow();                   // when nothing is current

    qint64 nowMs() const { return m_clock->wallMs(); }
    qint64 steadyMs() const { return m_clock->steadyMs(); }
    format::Zone zone() const { return m_zone; }
    int hoveredRow() const { return m_hoveredRow; }
    bool isStale() const { return m_stale; }
    bool isFirstColumn(int column) const { return column == m_firstColumn; }
    bool isLastColumn(int column) const { return column == m_lastColumn; }

Q_SIGNALS:
    void rowActivated(const QModelIndex& index); // Enter or double click
    void currentRowChanged(const QModelIndex& index);
    void selectionCountChanged(int rows);
    void scrolled(); // the visible rows are others

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyboardSearch(const QString&) override {} // letters are actions
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                     const QList<int>& roles) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    int sizeHintForColumn(int) const override { return -1; } // no column is ever sized by its contents

private:
    void applyMetrics();
    void setUpColumns();
    void findOuterColumns();
    void stretch();
    // Hides spare columns where the table is too narrow for them, and shows them again where it is not.
    void makeRoom();
    int widthOfOthers() const; // without the stretching column
    void tick();
    void moveCurrent(int row, Qt::KeyboardModifiers modifiers);
    void setHoveredRow(int row);
    void updateRow(int row);
    void sortBy(int column, Qt::SortOrder order);
    void showHeaderMenu(const QPoint& position);
    void placeEmptyState();

    SystemClock m_systemClock;
    const Clock* m_clock = &m_systemClock;
    format::Zone m_zone = format::Zone::Utc;
    RowDelegate* m_delegate;
    QWidget* m_emptyState = nullptr;
    QItemSelectionModel* m_headerSelection = nullptr;
    QTimer m_tick;  // 1 s, only while shown and a column counts
    QTimer m_flash; // repaints once the last flash is over
    QList<int> m_tickingColumns;
    int m_stretchColumn = -1;
    QList<int> m_spareColumns;  // in the order in which they are shown again
    QList<int> m_hiddenForRoom; // those of them that are hidden now
    int m_firstColumn = 0;
    int m_lastColumn = 0;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    int m_hoveredRow = -1;
    bool m_stale = false;
    bool m_stretching = false;
};

} // namespace redrive
