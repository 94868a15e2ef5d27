#include "ui/widgets/nav_view.h"

#include "ui/models/format.h"
#include "ui/widgets/look.h"
#include "ui/widgets/nav_delegate.h"

#include <QMouseEvent>
#include <QStandardItemModel>

namespace redrive {

namespace {

constexpr int kGroupRole = NavKeyRole + 1;

} // namespace

NavView::NavView(QWidget* parent) : QTreeView(parent), m_model(new QStandardItemModel(this))
{
    setAccessibleName(tr("Navigator"));
    setModel(m_model);
    setItemDelegate(new NavDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setExpandsOnDoubleClick(false);
    setIndentation(0);
    setEditTriggers(NoEditTriggers);
    setSelectionMode(SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    setMouseTracking(true);
    setBackgroundRole(QPalette::Window);
    viewport()->setBackgroundRole(QPalette::Window);
    viewport()->setAutoFillBackground(true);
}

void NavView::addEntry(const Item& item, const QString& parentId)
{
    auto* row = new QStandardItem(item.title);
    row->setEditable(false);
    row->setData(item.id, NavIdRole);
    row->setData(item.iconName, NavIconRole);
    row->setData(qint64(-1), NavCountRole);
    row->setData(item.alarm, NavAlarmRole);
    row->setData(item.goKey, NavKeyRole);
    row->setData(item.group, kGroupRole);
    row->setAccessibleText(item.title);
    if (!item.goKey.isEmpty())
        row->setToolTip(format::plainToolTip(tr("%1  G %2").arg(item.title, item.goKey)));
    m_items.insert(item.id, row);
    if (auto* parent = find(parentId)) {
        parent->appendRow(row);
        expand(parent->index());
        return;
    }
    int at = m_model->rowCount();
    while (at > 0 && m_model->item(at - 1)->data(kGroupRole).toInt() > item.group)
        --at;
    m_model->insertRow(at, row);
    for (int i = 1; i < m_model->rowCount(); ++i)
        m_model->item(i)->setData(
            m_model->item(i)->data(kGroupRole) != m_model->item(i - 1)->data(kGroupRole), NavStartsGroupRole);
}

QStandardItem* NavView::find(const QString& id) const
{
    return m_items.value(id);
}

void NavView::setCount(const QString& id, qint64 count, bool growing)
{
    auto* item = find(id);
    if (!item)
        return;
    if (item->data(NavCountRole).toLongLong() != count) {
        item->setData(count, NavCountRole);
        item->setAccessibleText(count < 0 ? item->text() : item->text() + u", "_s + format::number(count));
    }
    if (item->data(NavGrowingRole).toBool() != growing)
        item->setData(growing, NavGrowingRole);
}

void NavView::setCurrentId(const QString& id)
{
    if (auto* item = find(id)) {
        m_silent = true;
        setCurrentIndex(item->index());
        m_silent = false;
    }
}

QString NavView::currentId() const
{
    return currentIndex().data(NavIdRole).toString();
}

QSize NavView::sizeHint() const
{
    return {Look::current().size.navWidth, 400};
}

void NavView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTreeView::currentChanged(current, previous);
    if (!m_silent && current.isValid())
        Q_EMIT entryChosen(current.data(NavIdRole).toString());
}

void NavView::mousePressEvent(QMouseEvent* event)
{
    const auto index = indexAt(event->pos());
    const bool again = index.isValid() && index == currentIndex();
    QTreeView::mousePressEvent(event);
    if (again) // a click on the current entry takes a filter back to the entry's own
        Q_EMIT entryChosen(index.data(NavIdRole).toString());
}

void NavView::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() == Qt::NoButton) // a drag must not run through the pages
        QTreeView::mouseMoveEvent(event);
}

void NavView::changeEvent(QEvent* event)
{
    QTreeView::changeEvent(event);
    if (event->type() == QEvent::StyleChange)
        scheduleDelayedItemsLayout();
}

} // namespace redrive
