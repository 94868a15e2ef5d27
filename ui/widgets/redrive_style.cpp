#include "ui/widgets/redrive_style.h"

#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/style_parts.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QStyleOption>
#include <QTabBar>

namespace redrive {

namespace {

constexpr int kScrollBar = 12;
constexpr int kShortestSlider = 28;
constexpr int kSpinButtons = 18;

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
    const bool vertical = option.state & QStyle::State_Horizontal; // Qt: a separator between left and right
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
            style_parts::headerLabel(*header, painter, widget);
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
    case CE_MenuBarEmptyArea:
    case CE_ToolBar:
        painter->fillRect(option->rect, look.background.window);
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

QRect RedriveStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                   const QWidget* widget) const
{
    const auto r = option->rect;
    if (control == CC_ComboBox) {
        if (part == SC_ComboBoxEditField)
            return visualRect(option->direction, r, r.adjusted(8, 1, -26, -1));
        if (part == SC_ComboBoxArrow)
            return visualRect(option->direction, r, QRect(r.right() - 25, r.top(), 26, r.height()));
    }
    if (control == CC_SpinBox) {
        const int half = r.height() / 2;
        const QRect buttons(r.right() - kSpinButtons, r.top() + 1, kSpinButtons, r.height() - 2);
        if (part == SC_SpinBoxUp)
            return visualRect(option->direction, r,
                              QRect(buttons.left(), buttons.top(), buttons.width(), half - 1));
        if (part == SC_SpinBoxDown)
            return visualRect(option->direction, r,
                              QRect(buttons.left(), r.top() + half, buttons.width(), r.height() - half - 1));
        if (part == SC_SpinBoxEditField)
            return visualRect(option->direction, r, r.adjusted(4, 2, -kSpinButtons - 2, -2));
    }
    if (control == CC_ScrollBar) {
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (!bar)
            return {};
        const bool horizontal = bar->orientation == Qt::Horizontal;
        const int length = horizontal ? r.width() : r.height();
        const auto range = qint64(bar->maximum) - bar->minimum;
        const int slider = range > 0
                               ? qBound(qMin(kShortestSlider, length),
                                        int(qint64(bar->pageStep) * length / (range + bar->pageStep)), length)
                               : length;
        const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                                  length - slider, bar->upsideDown);
        const auto piece = [&](int from, int size) {
            return horizontal ? QRect(r.left() + from, r.top(), size, r.height())
                              : QRect(r.left(), r.top() + from, r.width(), size);
        };
        switch (part) {
        case SC_ScrollBarGroove:
            return r;
        case SC_ScrollBarSlider:
            return piece(start, slider);
        case SC_ScrollBarSubPage:
            return piece(0, start);
        case SC_ScrollBarAddPage:
            return piece(start + slider, length - start - slider);
        default:
            return {};
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QRect RedriveStyle::subElementRect(SubElement element, const QStyleOption* option,
                                   const QWidget* widget) const
{
    if (element == SE_HeaderLabel)
        return option->rect;
    if (element == SE_LineEditContents) {
        const auto rect = QProxyStyle::subElementRect(element, option, widget);
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        return frame && frame->lineWidth > 0 ? rect.adjusted(5, 0, -5, 0) : rect;
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

QSize RedriveStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                     const QWidget* widget) const
{
    const auto& look = Look::current();
    switch (type) {
    case CT_PushButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
            return style_parts::pushButtonSize(*button, widget);
        break;
    case CT_LineEdit:
        return {size.width() + 12, qMax(look.size.field, size.height() + 8)};
    case CT_SpinBox:
        return {size.width() + kSpinButtons + 8, qMax(look.size.field, size.height() + 6)};
    case CT_ComboBox:
        return {size.width() + 26 + 10, qMax(look.size.field, size.height() + 8)};
    case CT_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
            return style_parts::menuItemSize(*item, widget);
        break;
    case CT_MenuBarItem:
        return {size.width() + 16, qMax(look.size.navRow, size.height() + 10)};
    case CT_HeaderSection:
        return {size.width(), look.atLeast(look.size.tableHeader, look.font.small)};
    case CT_ItemViewItem: {
        auto item = QProxyStyle::sizeFromContents(type, option, size, widget);
        item.setHeight(qMax(item.height(), look.size.tableRow));
        return item;
    }
    default:
        break;
    }
    return QProxyStyle::sizeFromContents(type, option, size, widget);
}

int RedriveStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    const auto& look = Look::current();
    switch (metric) {
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize:
    case PM_ListViewIconSize:
        return look.icon.standard;
    case PM_ScrollBarExtent:
        return kScrollBar;
    case PM_ScrollBarSliderMin:
        return kShortestSlider;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 16;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return 8;
    case PM_MenuPanelWidth:
        return 1;
    case PM_MenuVMargin:
        return 5;
    case PM_MenuHMargin:
        return 0;
    case PM_MenuBarPanelWidth:
    case PM_MenuBarVMargin:
        return 0;
    case PM_MenuBarHMargin:
        return 4;
    case PM_MenuBarItemSpacing:
        return 0;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth:
        return 5;
    case PM_DockWidgetTitleMargin:
        return 4;
    case PM_DockWidgetTitleBarButtonMargin:
        return 3;
    case PM_DockWidgetFrameWidth:
        return 0;
    case PM_ToolBarFrameWidth:
    case PM_ToolBarItemMargin:
    case PM_ToolBarItemSpacing:
        return 0;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_DefaultFrameWidth:
        if (qobject_cast<const QAbstractItemView*>(widget))
            return 0;
        break;
    case PM_HeaderMargin:
        return 4;
    case PM_TabBarTabHSpace:
        return 16;
    case PM_TabBarTabVSpace:
        return 12;
    case PM_TabBarTabOverlap:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarBaseOverlap:
        return 0;
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin:
        return look.space.paneInset;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return 8;
    default:
        break;
    }
    return QProxyStyle::pixelMetric(metric, option, widget);
}

int RedriveStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                            QStyleHintReturn* data) const
{
    switch (hint) {
    case SH_ItemView_ShowDecorationSelected:
    case SH_ItemView_PaintAlternatingRowColorsForEmptyArea:
        return hint == SH_ItemView_ShowDecorationSelected;
    case SH_Widget_Animation_Duration:
    case SH_Widget_Animate:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ComboBox_Popup:
    case SH_Menu_SloppySubMenus:
    case SH_UnderlineShortcut:
        return 0;
    case SH_ToolTipLabel_Opacity:
        return 255;
    case SH_ScrollView_FrameOnlyAroundContents:
        return 1;
    case SH_FormLayoutLabelAlignment:
        return int(Qt::AlignRight | Qt::AlignVCenter);
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
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
    if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
        qobject_cast<QHeaderView*>(widget) || qobject_cast<QTabBar*>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

} // namespace redrive
