#include "ui/widgets/row_delegate.h"

#include "ui/models/format.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/sparkline.h"
#include "ui/widgets/text_colour.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace redrive {

namespace {

CellKind kindOf(const QModelIndex& index)
{
    return CellKind(index.data(KindRole).toInt());
}

Emphasis emphasisOf(const QModelIndex& index, CellKind kind)
{
    const auto value = index.data(EmphasisRole);
    if (value.isValid())
        return Emphasis(value.toInt());
    if (kind == CellKind::Count)
        return Emphasis::Strong;
    return kind == CellKind::State ? Emphasis::Primary : Emphasis::Secondary;
}

QString numberText(const QVariant& value)
{
    switch (value.typeId()) {
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
        return format::number(value.toLongLong());
    case QMetaType::Double:
        return format::number(value.toDouble(), 1);
    default:
        break;
    }
    return value.isValid() ? value.toString() : format::unknown();
}

} // namespace

RowDelegate::RowDelegate(RowTable* table) : QStyledItemDelegate(table), m_table(table) {}

const DigitPainter& RowDelegate::digits(bool strong) const
{
    const auto& look = Look::current();
    auto& slot = strong ? m_strongDigits : m_digits;
    const auto& font = strong ? look.font.bodyStrong : look.font.body;
    if (!slot || slot->font() != font)
        slot.emplace(font);
    return *slot;
}

QString RowDelegate::cellText(const QModelIndex& index) const
{
    const auto kind = kindOf(index);
    const auto display = index.data(Qt::DisplayRole);
    switch (kind) {
    case CellKind::Number:
    case CellKind::Count:
        return numberText(display);
    case CellKind::Id:
        return format::shortId(format::firstLine(display.toString()));
    case CellKind::Age:
    case CellKind::Countdown:
    case CellKind::Instant: {
        const auto instant = index.data(InstantRole).toLongLong();
        if (instant <= 0)
            return display.toString().isEmpty() ? format::unknown() : display.toString();
        const auto now = m_table->nowMs();
        if (kind == CellKind::Age)
            return format::age(now - instant);
        if (kind == CellKind::Instant)
            return format::clockTime(instant, m_table->zone(), now);
        return instant > now ? format::countdown(instant - now) : tr("due");
    }
    case CellKind::Text:
    case CellKind::State:
    case CellKind::Spark:
        break;
    }
    return format::firstLine(display.toString());
}

QRectF RowDelegate::contentRect(const QRectF& cell, int column) const
{
    const auto& look = Look::current();
    const auto left = m_table->isFirstColumn(column) ? look.space.pageInset : look.space.cellPadX;
    const auto right = m_table->isLastColumn(column) ? look.space.pageInset : look.space.cellPadX;
    return cell.adjusted(left, 0, -right, -1);
}

void RowDelegate::paintBackground(QPainter* painter, const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const
{
    const auto& look = Look::current();
    auto fill = look.background.base;
    if (option.state & QStyle::State_Selected)
        fill = option.state & QStyle::State_Active ? look.background.selection
                                                   : look.background.selectionInactive;
    else if (index.row() == m_table->hoveredRow())
        fill = look.background.hover;
    if (index.data(FlashUntilRole).toLongLong() > m_table->steadyMs())
        fill = look.background.flash;
    painter->fillRect(option.rect, fill);
    paint::hairline(painter, option.rect, Qt::BottomEdge, look.border.subtle);
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto& look = Look::current();
    paintBackground(painter, option, index);
    const auto rect = contentRect(option.rect, index.column());
    if (index.data(PlaceholderRole).toBool()) {
        const auto width = rect.width() * (0.45 + 0.1 * ((index.row() * 7 + index.column() * 3) % 5));
        paint::roundedBox(painter, QRectF(rect.left(), rect.center().y() - 4, width, 8), 2,
                          look.background.pressed, {});
        return;
    }
    painter->save();
    painter->setClipRect(QRectF(option.rect));
    paintContent(painter, rect, index, option.state & QStyle::State_Enabled);
    painter->restore();
}

void RowDelegate::paintContent(QPainter* painter, const QRectF& rect, const QModelIndex& index,
                               bool enabled) const
{
    const auto& look = Look::current();
    const auto kind = kindOf(index);
    if (kind == CellKind::Spark)
        return paintSpark(painter, rect, index);
    const auto text = cellText(index);
    const auto emphasis = emphasisOf(index, kind);
    const auto colour = !enabled || m_table->isStale() ? look.text.tertiary : textColour(emphasis);
    const bool strong = emphasis == Emphasis::Strong;
    if (isRightAligned(kind)) {
        const auto& painterOfDigits = digits(strong);
        painter->setPen(colour);
        painterOfDigits.draw(
            painter, rect, painterOfDigits.width(text) > rect.width() ? Qt::AlignLeft : Qt::AlignRight, text);
        return;
    }
    auto room = rect;
    if (kind == CellKind::State) {
        const qreal side = look.icon.state;
        const QRectF glyph(rect.left(), rect.center().y() - side / 2, side, side);
        paintStateGlyph(painter, glyph, index.data(GlyphRole).toString());
        room.setLeft(glyph.right() + look.space.iconToText);
    }
    const auto& font = kind == CellKind::Id ? look.font.monoSmall
                       : strong             ? look.font.bodyStrong
                                            : look.font.body;
    paint::text(painter, room, text, font, colour);
}

void RowDelegate::paintSpark(QPainter* painter, const QRectF& rect, const QModelIndex& index) const
{
    const auto& look = Look::current();
    const auto values = index.data(SparkRole).value<QList<double>>();
    spark::bars(painter, rect.adjusted(0, 5, 0, -5), values, look.border.control, look.state(u"dead"_s).icon,
                index.data(SparkHotRole).toInt());
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const auto& look = Look::current();
    const auto text = cellText(index);
    return {int(digits(false).width(text)) + 2 * look.space.pageInset + look.icon.state, look.rowHeight()};
}

bool RowDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                            const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    auto tip = index.data(Qt::ToolTipRole).toString();
    if (tip.isEmpty() && kindOf(index) == CellKind::Id)
        tip = index.data(Qt::DisplayRole).toString();
    if (tip.isEmpty()) {
        const auto text = cellText(index);
        const auto whole = index.data(Qt::DisplayRole).toString();
        const auto room = contentRect(view->visualRect(index), index.column()).width();
        if (digits(false).width(text) > room)
            tip = whole.isEmpty() ? text : whole;
    }
    QToolTip::showText(event->globalPos(), format::plainToolTip(tip), view->viewport(),
                       view->visualRect(index));
    return true;
}

} // namespace redrive
