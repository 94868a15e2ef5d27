#include "ui/widgets/redrive_style.h"

#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/style_parts.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QStyleOption>
#include <QTabBar>

namespace redrive {

namespace {

void dockTitle(const QStyleOptionDockWidget& option, QPainter* painter)
{
    const auto& look = Look::current();
    painter->fillRect(option.rect, look.background.header);
    paint::hairline(painter, option.rect, Qt::BottomEdge, look.border.standard);
    paint::text(painter, QRectF(option.rect).adjusted(look.space.paneInset, 0, -56, -1), option.title,
                look.font.small, look.text.tertiary);
}

// The line stands where the dock ends, so that the rest of the grip continues the neighbour's background.
void separator(const QStyleOption& option, QPainter* painter, const QWidget* widget)
{
    const auto& look = Look::current();
    const QRectF rect = option.rect;
    const bool vertical = rect.height() > rect.width();
    if (!vertical) {
        painter->fillRect(rect, look.background.window);
        paint::hairline(painter, rect, Qt::TopEdge, look.border.standard);
        return;
    }
    const bool left = widget && rect.center().x() < widget->width() / 2.0;
    painter->fillRect(rect, left ? look.background.window : look.background.base);
    paint::hairline(painter, rect, left ? Qt::RightEdge : Qt::LeftEdge, look.border.standard);
}

void splitter(const QStyleOption& option, QPainter* painter)
{
    const auto& look = Look::current();
    const QRectF rect = option.rect;
    painter->fillRect(rect, look.background.header);
    const bool sideBySide = option.state & QStyle::State_Horizontal;
    paint::hairline(painter, rect, sideBySide ? Qt::LeftEdge : Qt::TopEdge, look.border.standard);
}

} // namespace

RedriveStyle::RedriveStyle() : QProxyStyle(u"Fusion"_s) {}

void RedriveStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const
{
    const auto& look = Look::current();
    switch (element) {
    case PE_PanelButtonCommand:
        paint::roundedBox(painter, option->rect, look.radius.control, look.background.raised,
                          look.border.button);
        return;
    case PE_PanelButtonTool:
        style_parts::toolButtonPanel(*option, painter);
        return;
    case PE_PanelLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->lineWidth > 0)
            style_parts::field(*option, painter);
        return;
    case PE_FrameLineEdit:
        return;
    case PE_FrameFocusRect:
        if (!qobject_cast<const QAbstractItemView*>(widget))
            paint::focusRing(painter, option->rect, look.radius.control);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        style_parts::checkIndicator(*option, painter);
        return;
    case PE_IndicatorRadioButton:
        style_parts::radioIndicator(*option, painter);
        return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowRight:
    case PE_IndicatorArrowLeft: {
        const bool enabled = option->state & State_Enabled;
        const bool sideways = element == PE_IndicatorArrowRight || element == PE_IndicatorArrowLeft;
        painter->save();
        painter->translate(QRectF(option->rect).center());
        if (element == PE_IndicatorArrowUp || element == PE_IndicatorArrowLeft)
            painter->rotate(180);
        paintIcon(painter, QRectF(-7, -7, 14, 14), sideways ? u"ui/chevron-right"_s : u"ui/chevron-down"_s,
                  enabled ? look.text.secondary : look.text.disabled);
        painter->restore();
        return;
    }
    case PE_IndicatorHeaderArrow: // drawn with the label
    case PE_IndicatorBranch:
    case PE_PanelMenuBar:
    case PE_PanelStatusBar:
    case PE_FrameStatusBarItem:
    case PE_FrameTabBarBase:
    case PE_FrameDockWidget:
        return;
    case PE_PanelMenu:
        painter->fillRect(option->rect, look.background.raised);
        return;
    case PE_FrameMenu:
        paint::roundedBox(painter, option->rect, 0, {}, look.border.button);
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        separator(*option, painter, widget);
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void RedriveStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const
{
    const auto& look = Look::current();
    switch (element) {
    case CE_PushButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            style_parts::pushButton(*button, painter, widget);
            return;
        }
        break;
    case CE_HeaderSection:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            style_parts::headerSection(*header, painter);
            return;
        }
        break;
    case CE_HeaderLabel:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            style_parts::headerLabel(*header, painter);
            return;
        }
        break;
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, look.background.header);
        paint::hairline(painter, option->rect, Qt::BottomEdge, look.border.standard);
        return;
    case CE_TabBarTabShape:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            style_parts::tabShape(*tab, painter);
            return;
        }
        break;
    case CE_ProgressBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            style_parts::progressBar(*bar, painter);
            return;
        }
        break;
    case CE_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
            style_parts::menuItem(*item, painter, widget);
            return;
        }
        break;
    case CE_MenuBarItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
            style_parts::menuBarItem(*item, painter);
            return;
        }
        break;
    case CE_ProgressBarGroove:
    case CE_ProgressBarContents: // a sheet on the application makes Qt ask for the parts
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            if (element == CE_ProgressBarContents)
                style_parts::progressBar(*bar, painter);
            return;
        }
        break;
    case CE_ProgressBarLabel:
        return;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, look.background.window);
        return;
    case CE_ToolBar:
        painter->fillRect(option->rect, look.background.window);
        paint::hairline(painter, option->rect, Qt::BottomEdge, look.border.standard);
        return;
    case CE_DockWidgetTitle:
        if (const auto* dock = qstyleoption_cast<const QStyleOptionDockWidget*>(option)) {
            dockTitle(*dock, painter);
            return;
        }
        break;
    case CE_Splitter:
        splitter(*option, painter);
        return;
    case CE_ShapedFrame:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && (frame->frameShape == QFrame::HLine || frame->frameShape == QFrame::VLine)) {
            paint::hairline(painter, option->rect,
                            frame->frameShape == QFrame::HLine ? Qt::TopEdge : Qt::LeftEdge,
                            look.border.standard);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void RedriveStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                      QPainter* painter, const QWidget* widget) const
{
    if (control == CC_ComboBox) {
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
            return style_parts::comboBox(*combo, painter);
    } else if (control == CC_SpinBox) {
        if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
            return style_parts::spinBox(*spin, painter, subControlRect(control, option, SC_SpinBoxUp, widget),
                                        subControlRect(control, option, SC_SpinBoxDown, widget));
    } else if (control == CC_ScrollBar) {
        if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
            return style_parts::scrollBar(*bar, painter,
                                          subControlRect(control, option, SC_ScrollBarSlider, widget));
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QIcon RedriveStyle::standardIcon(StandardPixmap pixmap, const QStyleOption* option,
                                 const QWidget* widget) const
{
    switch (pixmap) {
    case SP_TitleBarCloseButton:
    case SP_DockWidgetCloseButton:
    case SP_LineEditClearButton:
        return icon(u"ui/close"_s);
    case SP_TitleBarNormalButton:
        return icon(u"ui/tear-off"_s);
    case SP_ToolBarHorizontalExtensionButton:
        return icon(u"ui/more"_s);
    case SP_MessageBoxWarning:
        return icon(u"warning"_s);
    default:
        return QProxyStyle::standardIcon(pixmap, option, widget);
    }
}

void RedriveStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractSpinBox*>(widget)) // with a sheet, Qt computes its height itself
        widget->setMinimumHeight(Look::current().size.field);
    if (qobject_cast<QDialog*>(widget)) {
        QPalette own; // only the one role differs from the application's
        own.setColor(QPalette::Window, Look::current().background.raised);
        widget->setPalette(own);
    }
    if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
        qobject_cast<QHeaderView*>(widget) || qobject_cast<QTabBar*>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

} // namespace redrive
