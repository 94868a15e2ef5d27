#include "ui/widgets/row_table.h"

#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/row_delegate.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

namespace redrive {

RowTable::RowTable(const QString& accessibleName, QWidget* parent)
    : QTableView(parent), m_delegate(new RowDelegate(this))
{
    setAccessibleName(accessibleName);
    setItemDelegate(m_delegate);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setTabKeyNavigation(false);
    setAlternatingRowColors(false);
    setCornerButtonEnabled(false);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);

    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    auto* header = horizontalHeader();
    header->setSectionsMovable(true);
    header->setSectionsClickable(true);
    header->setHighlightSections(false);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    header->setSortIndicatorShown(true);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setMinimumSectionSize(40);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setTextElideMode(Qt::ElideRight);
    connect(header, &QHeaderView::customContextMenuRequested, this, &RowTable::showHeaderMenu);
    connect(header, &QHeaderView::sectionMoved, this, [this] {
        findOuterColumns();
        viewport()->update();
    });
    connect(header, &QHeaderView::sectionResized, this, [this](int column) {
        if (column != m_stretchColumn)
            stretch();
    });
    connect(header, &QHeaderView::sortIndicatorChanged, this, &RowTable::sortBy);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &RowTable::scrolled);
    connect(this, &QTableView::doubleClicked, this, &RowTable::rowActivated);

    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &RowTable::tick);
    m_flash.setSingleShot(true);
    connect(&m_flash, &QTimer::timeout, viewport(), qOverload<>(&QWidget::update));
    applyMetrics();
}

void RowTable::setModel(QAbstractItemModel* model)
{
    QTableView::setModel(model);
    if (!model)
        return;
    connect(model, &QAbstractItemModel::modelReset, this, [this] { setHoveredRow(-1); });
    // One of its own: to paint a section, a header asks of every selected row whether it can be selected.
    delete std::exchange(m_headerSelection, new QItemSelectionModel(model, this));
    horizontalHeader()->setSelectionModel(m_headerSelection);
    setUpColumns();
}

void RowTable::setClock(const Clock* clock)
{
    m_clock = clock ? clock : &m_systemClock;
    viewport()->update();
}

void RowTable::setZone(format::Zone zone)
{
    m_zone = zone;
    viewport()->update();
}

void RowTable::setStale(bool stale)
{
    if (m_stale == stale)
        return;
    m_stale = stale;
    viewport()->update();
}

void RowTable::showSort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    const QSignalBlocker silent(horizontalHeader());
    horizontalHeader()->setSortIndicator(column, order);
    horizontalHeader()->viewport()->update();
}

void RowTable::sortBy(int column, Qt::SortOrder order)
{
    if (!model())
        return;
    const auto sorts = model()->headerData(column, Qt::Horizontal, HeaderSortsRole);
    if (sorts.isValid() && !sorts.toBool()) {
        showSort(m_sortColumn, m_sortOrder);
        return;
    }
    m_sortColumn = column;
    m_sortOrder = order;
    model()->sort(column, order);
}

std::pair<int, int> RowTable::visibleRows() const
{
    if (!model() || model()->rowCount() == 0)
        return {0, -1};
    const int first = qMax(0, rowAt(0));
    const int last = rowAt(viewport()->height() - 1);
    return {first, last < 0 ? model()->rowCount() - 1 : last};
}

void RowTable::addLetterAction(QAction* action)
{
    action->setShortcutContext(Qt::WidgetShortcut);
    addAction(action);
}

void RowTable::setEmptyState(QWidget* widget)
{
    if (m_emptyState && m_emptyState != widget)
        m_emptyState->deleteLater();
    m_emptyState = widget;
    if (!widget)
        return;
    widget->setParent(viewport());
    placeEmptyState();
    widget->show();
}

QString RowTable::currentRowId() const
{
    return currentIndex().data(RowIdRole).toString();
}

int RowTable::selectedRowCount() const
{
    if (!selectionModel())
        return 0;
    int rows = 0;
    const auto ranges = selectionModel()->selection();
    for (const auto& range : ranges) {
        if (range.left() == 0)
            rows += range.height();
    }
    return rows;
}

void RowTable::selectFirstRow()
{
    if (model() && model()->rowCount() > 0 && !currentIndex().isValid())
        setCurrentIndex(model()->index(0, m_firstColumn));
}

void RowTable::applyMetrics()
{
    const auto& look = Look::current();
    verticalHeader()->setMinimumSectionSize(look.size.tableRowCompact);
    verticalHeader()->setDefaultSectionSize(look.rowHeight());
    horizontalHeader()->setFixedHeight(look.atLeast(look.size.tableHeader, look.font.small));
}

void RowTable::tick()
{
    for (const int column : std::as_const(m_tickingColumns)) {
        if (!isColumnHidden(column))
            viewport()->update(columnViewportPosition(column), 0, columnWidth(column), viewport()->height());
    }
}

void RowTable::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    const auto current = currentIndex();
    if (!current.isValid() || !model())
        return;
    const int top = rowViewportPosition(current.row());
    const int right = columnViewportPosition(m_lastColumn) + columnWidth(m_lastColumn);
    QPainter painter(viewport());
    const auto& look = Look::current();
    const QRectF shown(0, top, qMin(right, viewport()->width()), rowHeight(current.row()));
    paint::roundedBox(&painter, shown, 0, {}, hasFocus() ? look.border.focus : look.border.control);
}

void RowTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    stretch();
    placeEmptyState();
    Q_EMIT scrolled();
}

void RowTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        applyMetrics();
}

bool RowTable::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::MouseMove)
        setHoveredRow(rowAt(int(static_cast<QMouseEvent*>(event)->position().y())));
    else if (event->type() == QEvent::Leave)
        setHoveredRow(-1);
    return QTableView::viewportEvent(event);
}

void RowTable::setHoveredRow(int row)
{
    if (row == m_hoveredRow)
        return;
    updateRow(std::exchange(m_hoveredRow, row));
    updateRow(row);
}

void RowTable::updateRow(int row)
{
    if (row >= 0)
        viewport()->update(0, rowViewportPosition(row), viewport()->width(),
                           verticalHeader()->defaultSectionSize());
}

void RowTable::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                           const QList<int>& roles)
{
    QTableView::dataChanged(topLeft, bottomRight, roles);
    if (roles.isEmpty() || roles.contains(FlashUntilRole))
        m_flash.start(Look::current().flashMs + 30);
}

void RowTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    updateRow(previous.row());
    updateRow(current.row());
    if (current.row() != previous.row() || !previous.isValid())
        Q_EMIT currentRowChanged(current);
}

void RowTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected)
{
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT selectionCountChanged(selectedRowCount());
}

void RowTable::showEvent(QShowEvent* event)
{
    QTableView::showEvent(event);
    if (!m_tickingColumns.isEmpty())
        m_tick.start();
}

void RowTable::hideEvent(QHideEvent* event)
{
    m_tick.stop();
    QTableView::hideEvent(event);
}

void RowTable::keyPressEvent(QKeyEvent* event)
{
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const bool plain = modifiers == Qt::NoModifier;
    const bool plainOrShift = plain || modifiers == Qt::ShiftModifier;
    const int last = model() ? model()->rowCount() - 1 : -1;
    const int row = currentIndex().row();
    switch (event->key()) {
    case Qt::Key_J:
        if (plainOrShift)
            return moveCurrent(qMin(row + 1, last), modifiers);
        break;
    case Qt::Key_K:
        if (plainOrShift)
            return moveCurrent(qMax(row - 1, 0), modifiers);
        break;
    case Qt::Key_Home:
        if (plainOrShift)
            return moveCurrent(0, modifiers);
        break;
    case Qt::Key_End:
        if (plainOrShift)
            return moveCurrent(last, modifiers);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (plain && currentIndex().isValid()) {
            Q_EMIT rowActivated(currentIndex());
            return;
        }
        break;
    default:
        break;
    }
    // Copying is the window's "copy id", not the text of a cell.
    if (event->matches(QKeySequence::Copy)) {
        event->ignore();
        return;
    }
    QTableView::keyPressEvent(event);
}

void RowTable::moveCurrent(int row, Qt::KeyboardModifiers modifiers)
{
    if (!model() || row < 0 || row >= model()->rowCount())
        return;
    const auto index =
        model()->index(row, currentIndex().isValid() ? currentIndex().column() : m_firstColumn);
    if (modifiers & Qt::ShiftModifier) {
        const int anchor = selectionModel()->currentIndex().row();
        const auto from = model()->index(qMin(anchor, row), 0);
        const auto to = model()->index(qMax(anchor, row), 0);
        selectionModel()->select(QItemSelection(from, to),
                                 QItemSelectionModel::Select | QItemSelectionModel::Rows);
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    } else {
        selectionModel()->setCurrentIndex(index,
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
    scrollTo(index);
}

void RowTable::placeEmptyState()
{
    if (m_emptyState)
        m_emptyState->setGeometry(0, 0, viewport()->width(), m_emptyState->sizeHint().height());
}

} // namespace redrive
