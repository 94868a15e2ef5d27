#include "ui/widgets/nav_delegate.h"

#include "ui/models/format.h"
#include "ui/widgets/digit_painter.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/nav_view.h"
#include "ui/widgets/paint.h"

#include <QPainter>

namespace redrive {

namespace {

constexpr int kAir = 8;
constexpr int kInset = 6;
constexpr int kIconGap = 8;
constexpr int kArrow = 10;

} // namespace

QSize NavDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const auto& look = Look::current();
    const int row = look.atLeast(look.size.navRow, look.font.body);
    const bool first = !index.parent().isValid() && index.row() == 0;
    return {look.size.navWidthMin, row + (index.data(NavStartsGroupRole).toBool() || first ? kAir : 0)};
}

void NavDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto& look = Look::current();
    const bool current = option.state & QStyle::State_Selected;
    const bool focused = current && option.widget && option.widget->hasFocus();
    QRectF row = option.rect;
    row.setTop(row.bottom() + 1 - look.atLeast(look.size.navRow, look.font.body));
    row.setBottom(option.rect.bottom() + 1);
    row.adjust(kInset, 0, -kInset, 0);
    if (current)
        paint::roundedBox(painter, row.adjusted(4, 0, 0, 0), look.radius.navRow, look.background.selection,
                          {});
    else if (option.state & QStyle::State_MouseOver)
        paint::roundedBox(painter, row.adjusted(4, 0, 0, 0), look.radius.navRow, look.background.pressed, {});
    if (current)
        painter->fillRect(QRectF(row.left(), row.top() + 6, look.size.accentBar, row.height() - 12),
                          look.accent.line);
    if (focused && (option.state & QStyle::State_KeyboardFocusChange))
        paint::focusRing(painter, row.adjusted(4, 0, 0, 0), look.radius.navRow);

    const bool child = index.parent().isValid();
    const QRectF glyph(row.left() + 10, row.center().y() - look.icon.standard / 2.0, look.icon.standard,
                       look.icon.standard);
    if (!child)
        paintIcon(painter, glyph, index.data(NavIconRole).toString(),
                  current ? look.text.primary : look.text.secondary);
    const auto countWidth = paintCount(painter, row.adjusted(0, 0, -8, 0), index);
    const QRectF label(glyph.right() + kIconGap, row.top(),
                       row.right() - glyph.right() - kIconGap - 8 - countWidth - 6, row.height());
    paint::text(painter, label, index.data(Qt::DisplayRole).toString(),
                current ? look.font.bodyStrong : look.font.body,
                child && !current ? look.text.secondary : look.text.primary);
}

qreal NavDelegate::paintCount(QPainter* painter, const QRectF& rect, const QModelIndex& index) const
{
    const auto& look = Look::current();
    const auto count = index.data(NavCountRole).toLongLong();
    if (count < 0)
        return 0;
    const bool alarm = index.data(NavAlarmRole).toBool() && count > 0;
    const bool growing = index.data(NavGrowingRole).toBool();
    const DigitPainter digits(alarm ? look.font.smallStrong : look.font.small);
    const auto text = format::number(count);
    auto place = rect;
    const auto colour = alarm ? look.state(u"dead"_s).text : look.text.tertiary;
    if (alarm && growing) {
        paintIcon(painter,
                  QRectF(rect.right() - kArrow + 2, rect.center().y() - kArrow / 2.0, kArrow, kArrow),
                  u"ui/arrow-up"_s, colour);
        place.setRight(rect.right() - kArrow - 1);
    }
    painter->setPen(colour);
    digits.draw(painter, place, Qt::AlignRight, text);
    return digits.width(text) + rect.right() - place.right();
}

} // namespace redrive
