#include "ui/widgets/matrix_view.h"

#include "core/domain/missed_event.h"
#include "ui/models/matrix_model.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kCellWidth = 54;
constexpr int kCellHeight = 30;
constexpr int kHeadHeight = 128;
constexpr int kRowHeadWidth = 250;
constexpr qreal kGlyph = 14;

// Endpoint ids, read from below.
class EndpointHeader final : public QHeaderView
{
public:
    explicit EndpointHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionResizeMode(QHeaderView::Fixed);
        setDefaultSectionSize(kCellWidth);
        setFixedHeight(kHeadHeight);
        setSectionsClickable(true);
        setHighlightSections(false);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const auto& look = Look::current();
        painter->save();
        painter->fillRect(rect, look.background.header);
        painter->setPen(look.border.subtle);
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
        painter->setPen(look.text.secondary);
        painter->setFont(look.font.small);
        painter->translate(rect.center().x(), rect.bottom() - 8);
        painter->rotate(-90);
        const int length = rect.height() - 16;
        const QString text = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
        painter->drawText(QRect(0, -kCellWidth / 2, length, kCellWidth), Qt::AlignVCenter | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(text, Qt::ElideMiddle, length));
        painter->restore();
    }
};

class EventHeader final : public QHeaderView
{
public:
    explicit EventHeader(QWidget* parent) : QHeaderView(Qt::Vertical, parent)
    {
        setSectionResizeMode(QHeaderView::Fixed);
        setDefaultSectionSize(kCellHeight);
        setFixedWidth(kRowHeadWidth);
        setSectionsClickable(true);
        setHighlightSections(false);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const auto& look = Look::current();
        painter->save();
        painter->fillRect(rect, look.background.base);
        painter->setPen(look.border.subtle);
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
        painter->setPen(look.text.primary);
        painter->setFont(look.font.body);
        const QRect text = rect.adjusted(look.space.pageInset, 0, -8, 0);
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(
                              model()->headerData(section, Qt::Vertical, Qt::DisplayRole).toString(),
                              Qt::ElideRight, text.width()));
        painter->restore();
    }
};

class CellDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto& look = Look::current();
        const QRectF rect(option.rect);
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(rect, option.state.testFlag(QStyle::State_Active)
                                        ? look.background.selection
                                        : look.background.selectionInactive);
        painter->setPen(look.border.subtle);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        const QString glyph = index.data(GlyphRole).toString();
        const QString countdown = index.data(Qt::DisplayRole).toString();
        QRectF icon(0, 0, kGlyph, kGlyph);
        icon.moveCenter(rect.center());
        if (!countdown.isEmpty())
            icon.moveLeft(rect.left() + 4);
        const auto state = look.states.value(glyph);
        paintIcon(painter, icon, state.iconName.isEmpty() ? glyph : state.iconName,
                  state.icon.isValid() ? state.icon : look.text.tertiary);
        if (!countdown.isEmpty()) {
            painter->setPen(look.text.secondary);
            painter->setFont(look.font.micro);
            painter->drawText(
                QRectF(icon.right() + 2, rect.top(), rect.right() - icon.right() - 2, rect.height()),
                Qt::AlignVCenter | Qt::AlignLeft, countdown);
        }
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(look.border.focus);
            painter->drawRect(rect.adjusted(0.5, 0.5, -1.5, -1.5));
        }
    }
};

} // namespace

MatrixView::MatrixView(MatrixModel* model, QWidget* parent) : QTableView(parent), m_matrix(model)
{
    setModel(model);
    setHorizontalHeader(new EndpointHeader(this));
    setVerticalHeader(new EventHeader(this));
    setItemDelegate(new CellDelegate(this));
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setSelectionBehavior(QAbstractItemView::SelectItems);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setCornerButtonEnabled(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setAccessibleName(tr("Deliveries by event and endpoint"));
    m_tick.setInterval(1'000);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (!m_matrix->countsDown())
            return;
        Q_EMIT ticked();
        viewport()->update();
    });
}

std::vector<qint64> MatrixView::chosenKeys() const
{
    std::vector<qint64> keys;
    for (const QModelIndex& index : selectedIndexes()) {
        if (const QVariant key = index.data(RowKeyRole); key.isValid())
            keys.push_back(key.toLongLong());
    }
    return keys;
}

int MatrixView::chosenDelivered() const
{
    const QModelIndexList chosen = selectedIndexes();
    return int(std::count_if(chosen.begin(), chosen.end(), [this](const QModelIndex& index) {
        const MatrixCell& cell = m_matrix->cellAt(index);
        return cell.kind == MatrixCell::Kind::Delivery && cell.status == DeliveryStatus::Delivered;
    }));
}

int MatrixView::chosenWithout() const
{
    return int(selectedIndexes().size()) - int(chosenKeys().size());
}

QStringList MatrixView::chosenMissed() const
{
    const DeliveryMatrix& matrix = m_matrix->matrix();
    QStringList missed;
    for (const QModelIndex& index : selectedIndexes())
        if (m_matrix->cellAt(index).kind == MatrixCell::Kind::Missing)
            missed.append(
                toText(MissedEvent{matrix.events[index.row()].id, matrix.endpoints[index.column()]}));
    return missed;
}

qint64 MatrixView::currentKey() const
{
    return currentIndex().data(RowKeyRole).toLongLong();
}

void MatrixView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    Q_EMIT currentCellChanged();
}

void MatrixView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected)
{
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT chosenChanged();
}

void MatrixView::showEvent(QShowEvent* event)
{
    QTableView::showEvent(event);
    m_tick.start();
}

void MatrixView::hideEvent(QHideEvent* event)
{
    QTableView::hideEvent(event);
    m_tick.stop();
}

} // namespace redrive
