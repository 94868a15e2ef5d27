#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/style_parts.h"

#include <QFontMetrics>
#include <QIcon>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>
#include <QWidget>

namespace redrive::style_parts {

namespace {

constexpr int kKeyCapGap = 8;

bool flag(const QWidget* widget, const char* name)
{
    return widget && widget->property(name).toBool();
}

QString word(const QWidget* widget, const char* name)
{
    return widget ? widget->property(name).toString() : QString();
}

struct ButtonColours
{
    QColor fill, line, text;
};

ButtonColours buttonColours(const QStyleOptionButton& option, bool accent)
{
    const auto& look = Look::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool hover = enabled && (option.state & QStyle::State_MouseOver);
    const bool down = option.state & QStyle::State_Sunken;
    if (accent && enabled)
        return {down    ? look.accent.fillPressed
                : hover ? look.accent.fillHover
                        : look.accent.fill,
                {},
                look.text.onAccent};
    const auto text = enabled ? look.text.primary : look.text.disabled;
    if (option.features & QStyleOptionButton::Flat)
        return {down ? look.background.pressed : hover ? look.background.hover : QColor(), {}, text};
    if (!enabled)
        return {look.background.window, look.border.standard, text};
    const auto rest = look.dark || !hover ? look.background.raised : look.background.hover;
    return {down                 ? look.background.pressed
            : hover && look.dark ? look.background.pressed
                                 : rest,
            hover ? look.border.control : look.border.button, text};
}

void segmentPanel(const QStyleOptionButton& option, QPainter* painter, const QString& place)
{
    const auto& look = Look::current();
    const bool chosen = option.state & QStyle::State_On;
    const bool hover = (option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled);
    const QRectF rect = option.rect;
    // Each part paints the whole box and shows its own piece, so that the outline is one.
    QRectF whole = rect;
    if (place != u"first" && place != u"only")
        whole.setLeft(rect.left() - 20);
    if (place != u"last" && place != u"only")
        whole.setRight(rect.right() + 20);
    painter->save();
    painter->setClipRect(rect);
    paint::roundedBox(painter, whole, look.radius.control,
                      chosen  ? look.background.raised
                      : hover ? look.background.hover
                              : look.background.sunken,
                      look.border.button);
    if (place != u"first" && place != u"only")
        paint::hairline(painter, rect, Qt::LeftEdge, look.border.button);
    if (chosen) {
        QPainterPath inside;
        inside.addRoundedRect(whole, look.radius.control, look.radius.control);
        painter->setClipPath(inside, Qt::IntersectClip);
        painter->fillRect(
            QRectF(rect.left(), rect.bottom() - look.size.accentBar, rect.width(), look.size.accentBar),
            look.accent.line);
    }
    painter->restore();
}

QFont buttonFont(const QWidget* widget)
{
    const auto& look = Look::current();
    return flag(widget, "small") ? look.font.small : look.font.body;
}

} // namespace

QSize pushButtonSize(const QStyleOptionButton& option, const QWidget* widget)
{
    const auto& look = Look::current();
    const bool small = flag(widget, "small");
    const QFontMetrics metrics(buttonFont(widget));
    int width = option.text.isEmpty() ? 0 : metrics.size(Qt::TextShowMnemonic, option.text).width();
    if (!option.icon.isNull())
        width += option.iconSize.width() + (option.text.isEmpty() ? 0 : look.space.iconToText);
    if (const auto key = word(widget, "keyCap"); !key.isEmpty())
        width += kKeyCapGap + int(paint::keyCap(nullptr, {}, key));
    if (option.features & QStyleOptionButton::HasMenu)
        width += 16 + look.space.iconToText;
    const int pad = option.text.isEmpty() ? 6 : look.space.controlPadX;
    const int height =
        qMax(small ? look.size.buttonSmall : look.size.button, metrics.height() + (small ? 4 : 8));
    return {qMax(width + 2 * pad, height), height};
}

void pushButton(const QStyleOptionButton& option, QPainter* painter, const QWidget* widget)
{
    const auto& look = Look::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const auto segment = word(widget, "segment");
    const bool accent = flag(widget, "accent");
    auto colours = buttonColours(option, accent);
    if (segment.isEmpty())
        paint::roundedBox(painter, option.rect, look.radius.control, colours.fill, colours.line);
    else
        segmentPanel(option, painter, segment);

    auto font = buttonFont(widget);
    if (!segment.isEmpty() && enabled) {
        const bool chosen = option.state & QStyle::State_On;
        colours.text = chosen ? look.text.primary : look.text.secondary;
        font.setWeight(chosen ? QFont::Medium : QFont::Normal);
    } else if (accent) {
        font.setWeight(QFont::Medium);
    }
    const QFontMetrics metrics(font);
    const auto key = word(widget, "keyCap");
    const int textWidth = option.text.isEmpty() ? 0 : metrics.size(Qt::TextShowMnemonic, option.text).width();
    int content = textWidth;
    if (!option.icon.isNull())
        content += option.iconSize.width() + (option.text.isEmpty() ? 0 : look.space.iconToText);
    if (!key.isEmpty())
        content += kKeyCapGap + int(paint::keyCap(nullptr, {}, key));
    if (option.features & QStyleOptionButton::HasMenu)
        content += 16 + look.space.iconToText;
    QRect at = option.rect;
    at.setLeft(option.rect.left() + qMax(4, (option.rect.width() - content) / 2));
    if (!option.icon.isNull()) {
        const auto mode = enabled ? QIcon::Normal : QIcon::Disabled;
        const QRect place(at.left(), at.center().y() + 1 - option.iconSize.height() / 2,
                          option.iconSize.width(), option.iconSize.height());
        option.icon.paint(painter, place, Qt::AlignCenter, mode, QIcon::Off);
        at.setLeft(place.right() + 1 + look.space.iconToText);
    }
    painter->setFont(font);
    painter->setPen(colours.text);
    painter->drawText(at, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextHideMnemonic,
                      option.text);
    at.setLeft(at.left() + textWidth);
    if (option.features & QStyleOptionButton::HasMenu)
        paintIcon(painter, QRectF(option.rect.right() - 16 - 6, option.rect.center().y() - 6, 14, 14),
                  u"ui/chevron-down"_s, colours.text);
    if (!key.isEmpty())
        paint::keyCap(painter, at.adjusted(kKeyCapGap, 0, 0, 0), key);
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange))
        paint::focusRing(painter, option.rect, look.radius.control);
}

void toolButtonPanel(const QStyleOption& option, QPainter* painter)
{
    const auto& look = Look::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    QColor fill;
    if (option.state & (QStyle::State_Sunken | QStyle::State_On))
        fill = look.background.pressed;
    else if (enabled && (option.state & QStyle::State_MouseOver))
        fill = look.background.hover;
    const bool raised = option.state & QStyle::State_AutoRaise;
    if (!raised && !fill.isValid())
        fill = look.background.raised;
    paint::roundedBox(painter, option.rect, look.radius.control, fill,
                      raised ? QColor() : look.border.button);
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange))
        paint::focusRing(painter, option.rect, look.radius.control);
}

void checkIndicator(const QStyleOption& option, QPainter* painter)
{
    const auto& look = Look::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool on = option.state & (QStyle::State_On | QStyle::State_NoChange);
    const auto fill = !enabled ? look.background.window : on ? look.accent.fill : look.background.raised;
    paint::roundedBox(painter, option.rect, 3, fill, on && enabled ? QColor() : look.border.control);
    if (on)
        paintIcon(painter, QRectF(option.rect).adjusted(1, 1, -1, -1),
                  option.state & QStyle::State_On ? u"check"_s : u"ui/minus"_s,
                  enabled ? look.text.onAccent : look.text.disabled);
}

void radioIndicator(const QStyleOption& option, QPainter* painter)
{
    const auto& look = Look::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool on = option.state & QStyle::State_On;
    const QRectF rect = option.rect;
    paint::roundedBox(painter, rect, rect.width() / 2,
                      enabled ? look.background.raised : look.background.window,
                      on && enabled ? look.accent.line : look.border.control, on ? 4 : 1);
}

} // namespace redrive::style_parts
