#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/style_parts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOption>

namespace redrive::style_parts {

namespace {

constexpr int kArrow = 12;
constexpr int kDivider = 14;

} // namespace

void headerSection(const QStyleOptionHeader& option, QPainter* painter)
{
    const auto& look = Look::current();
    const QRectF rect = option.rect;
    const bool hover = (option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled);
    const bool pressed = option.state & QStyle::State_Sunken;
    painter->fillRect(rect, pressed ? look.background.pressed
                            : hover ? look.background.hover
                                    : look.background.header);
    paint::hairline(painter, rect, Qt::BottomEdge, look.border.standard);
    if (option.orientation == Qt::Horizontal && option.position != QStyleOptionHeader::End &&
        option.position != QStyleOptionHeader::OnlyOneSection) {
        const QRectF divider(rect.right() - 1, rect.center().y() - kDivider / 2.0, 1, kDivider);
        paint::hairline(painter, divider, Qt::RightEdge, look.border.button);
    }
}

void headerLabel(const QStyleOptionHeader& option, QPainter* painter)
{
    const auto& look = Look::current();
    const bool first = option.position == QStyleOptionHeader::Beginning ||
                       option.position == QStyleOptionHeader::OnlyOneSection;
    const bool last =
        option.position == QStyleOptionHeader::End || option.position == QStyleOptionHeader::OnlyOneSection;
    const bool right = option.textAlignment & Qt::AlignRight;
    QRectF rect = QRectF(option.rect)
                      .adjusted(right   ? 4
                                : first ? look.space.pageInset
                                        : look.space.cellPadX,
                                0, -(last ? look.space.pageInset : look.space.cellPadX), -1);
    const bool sorted = option.sortIndicator != QStyleOptionHeader::None;
    auto font = look.font.small;
    if (sorted)
        font.setWeight(QFont::DemiBold);
    const auto colour = sorted ? look.text.primary : look.text.tertiary;
    const auto arrow = [&](qreal x) {
        const auto name = u"ui/arrow-up"_s;
        const QRectF place(x, rect.center().y() - kArrow / 2.0, kArrow, kArrow);
        if (option.sortIndicator == QStyleOptionHeader::SortUp) { // Qt's SortUp is descending order
            paintIcon(painter, place, u"ui/chevron-down"_s, colour);
            return;
        }
        paintIcon(painter, place, name, colour);
    };
    const QFontMetricsF metrics(font);
    if (right) {
        if (sorted) {
            arrow(rect.right() - kArrow);
            rect.setRight(rect.right() - kArrow - 3);
        }
        paint::text(painter, rect, option.text, font, colour, Qt::AlignRight);
        return;
    }
    auto room = rect;
    if (sorted)
        room.setRight(rect.right() - kArrow - 3);
    paint::text(painter, room, option.text, font, colour);
    if (sorted)
        arrow(room.left() + qMin(room.width(), metrics.horizontalAdvance(option.text)) + 3);
}

void tabShape(const QStyleOptionTab& option, QPainter* painter)
{
    const auto& look = Look::current();
    const QRectF rect = option.rect;
    paint::hairline(painter, rect, Qt::BottomEdge, look.border.standard);
    if (option.state & QStyle::State_Selected)
        painter->fillRect(
            QRectF(rect.left(), rect.bottom() - look.size.accentBar, rect.width(), look.size.accentBar),
            look.accent.line);
}

} // namespace redrive::style_parts
