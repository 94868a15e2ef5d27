#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/style_parts.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStyleOption>

namespace redrive::style_parts {

namespace {

constexpr int kSeparator = 9;
constexpr int kCheckColumn = 30;
constexpr int kRightColumn = 28;

} // namespace

QSize menuItemSize(const QStyleOptionMenuItem& option, const QWidget*)
{
    const auto& look = Look::current();
    if (option.menuItemType == QStyleOptionMenuItem::Separator)
        return {10, kSeparator};
    const QFontMetrics metrics(look.font.body);
    const auto parts = option.text.split(u'\t');
    int width = kCheckColumn + metrics.size(Qt::TextShowMnemonic, parts.first()).width() + kRightColumn;
    if (parts.size() > 1)
        width += 24 + QFontMetrics(look.font.small).horizontalAdvance(parts[1]);
    return {width, qMax(look.size.menuRow, metrics.height() + 8)};
}

void menuItem(const QStyleOptionMenuItem& option, QPainter* painter, const QWidget*)
{
    const auto& look = Look::current();
    const QRectF rect = option.rect;
    painter->fillRect(rect, look.background.raised);
    if (option.menuItemType == QStyleOptionMenuItem::Separator) {
        const QRectF line(rect.left(), rect.center().y(), rect.width(), 1);
        paint::hairline(painter, line, Qt::TopEdge, look.border.standard);
        return;
    }
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool chosen = enabled && (option.state & QStyle::State_Selected);
    if (chosen)
        paint::roundedBox(painter, rect.adjusted(4, 0, -4, 0), look.radius.control, look.background.selection,
                          {});
    const QRectF mark(rect.left() + 10, rect.center().y() - 7, 14, 14);
    if (option.checkType != QStyleOptionMenuItem::NotCheckable && option.checked)
        paintIcon(painter, mark, u"check"_s, enabled ? look.text.primary : look.text.disabled);
    else if (!option.icon.isNull())
        option.icon.paint(painter, mark.adjusted(-1, -1, 1, 1).toRect(), Qt::AlignCenter,
                          !enabled ? QIcon::Disabled
                          : chosen ? QIcon::Active
                                   : QIcon::Normal);
    const auto parts = option.text.split(u'\t');
    const auto colour = enabled ? look.text.primary : look.text.disabled;
    painter->setFont(look.font.body);
    painter->setPen(colour);
    const auto text = rect.adjusted(kCheckColumn, 0, -kRightColumn / 2.0, 0);
    painter->drawText(text, int(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextHideMnemonic),
                      parts.first());
    if (parts.size() > 1)
        paint::text(painter, text, parts[1], look.font.small,
                    enabled ? look.text.tertiary : look.text.disabled, Qt::AlignRight);
    if (option.menuItemType == QStyleOptionMenuItem::SubMenu)
        paintIcon(painter, QRectF(rect.right() - 24, rect.center().y() - 7, 14, 14), u"ui/chevron-right"_s,
                  colour);
}

void menuBarItem(const QStyleOptionMenuItem& option, QPainter* painter)
{
    const auto& look = Look::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    painter->fillRect(option.rect, look.background.window);
    if (enabled && (option.state & QStyle::State_Selected))
        paint::roundedBox(
            painter, QRectF(option.rect).adjusted(0, 2, 0, -2), look.radius.control,
            option.state & QStyle::State_Sunken ? look.background.pressed : look.background.hover, {});
    painter->setFont(look.font.body);
    painter->setPen(enabled ? look.text.primary : look.text.disabled);
    painter->drawText(option.rect, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextHideMnemonic, option.text);
}

} // namespace redrive::style_parts
