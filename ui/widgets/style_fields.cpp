#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/style_parts.h"

#include <QPainter>
#include <QStyleOption>

namespace redrive::style_parts {

namespace {

void frame(const QStyleOption& option, QPainter* painter, bool focused)
{
    const auto& look = Look::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const auto line = focused ? look.border.focus : enabled ? look.border.control : look.border.standard;
    paint::roundedBox(painter, option.rect, look.radius.control,
                      enabled ? look.background.base : look.background.window, line,
                      focused ? look.size.focusRing : 1);
}

} // namespace

void field(const QStyleOption& option, QPainter* painter)
{
    frame(option, painter, option.state & QStyle::State_HasFocus);
}

void comboBox(const QStyleOptionComboBox& option, QPainter* painter)
{
    const auto& look = Look::current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool keyboard = option.state & QStyle::State_KeyboardFocusChange;
    frame(option, painter, (option.state & QStyle::State_HasFocus) && (option.editable || keyboard));
    paintIcon(painter, QRectF(option.rect.right() - 22, option.rect.center().y() - 7 + 0.5, 14, 14),
              u"ui/chevron-down"_s, enabled ? look.text.secondary : look.text.disabled);
}

void spinBox(const QStyleOptionSpinBox& option, QPainter* painter, const QRect& up, const QRect& down)
{
    const auto& look = Look::current();
    frame(option, painter, option.state & QStyle::State_HasFocus);
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    paint::hairline(painter, QRectF(up.left(), up.top() + 1, 1, down.bottom() - up.top() - 1), Qt::LeftEdge,
                    look.border.standard);
    const auto arrow = [&](const QRect& place, QAbstractSpinBox::StepEnabledFlag flag, bool upwards) {
        const bool enabled = (option.state & QStyle::State_Enabled) && (option.stepEnabled & flag);
        const bool pressed =
            (option.activeSubControls == (upwards ? QStyle::SC_SpinBoxUp : QStyle::SC_SpinBoxDown)) &&
            (option.state & QStyle::State_Sunken);
        if (pressed)
            painter->fillRect(place.adjusted(1, 1, -1, -1), look.background.pressed);
        painter->save();
        painter->translate(QRectF(place).center());
        if (upwards)
            painter->rotate(180);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(enabled ? look.text.secondary : look.text.disabled, 1.5, Qt::SolidLine,
                             Qt::RoundCap, Qt::RoundJoin));
        painter->drawPolyline(QPolygonF({QPointF(-3, -1.25), QPointF(0, 1.75), QPointF(3, -1.25)}));
        painter->restore();
    };
    arrow(up, QAbstractSpinBox::StepUpEnabled, true);
    arrow(down, QAbstractSpinBox::StepDownEnabled, false);
}

void progressBar(const QStyleOptionProgressBar& option, QPainter* painter)
{
    const auto& look = Look::current();
    const qreal height = qMin(8, option.rect.height());
    const QRectF bar(option.rect.left(), option.rect.center().y() + 0.5 - height / 2, option.rect.width(),
                     height);
    paint::roundedBox(painter, bar, 2, look.background.sunken, look.border.standard);
    const auto range = double(option.maximum) - option.minimum;
    if (range <= 0)
        return; // nothing moves by itself: an unknown total is an empty bar
    const auto part = qBound(0.0, (double(option.progress) - option.minimum) / range, 1.0);
    if (part > 0)
        paint::roundedBox(painter, QRectF(bar.left(), bar.top(), bar.width() * part, height), 2,
                          look.accent.fill, {});
}

void scrollBar(const QStyleOptionSlider& option, QPainter* painter, const QRect& slider)
{
    const auto& look = Look::current();
    painter->fillRect(option.rect, look.background.base);
    if (option.maximum <= option.minimum)
        return;
    const bool active = option.activeSubControls & QStyle::SC_ScrollBarSlider;
    const bool horizontal = option.orientation == Qt::Horizontal;
    const auto handle =
        horizontal ? QRectF(slider).adjusted(2, 3, -2, -3) : QRectF(slider).adjusted(3, 2, -3, -2);
    const auto radius = (horizontal ? handle.height() : handle.width()) / 2;
    paint::roundedBox(painter, handle, radius, active ? look.border.control : look.border.button, {});
}

} // namespace redrive::style_parts
