// The geometry of RedriveStyle: places, sizes, metrics and hints.
#include "ui/widgets/look.h"
#include "ui/widgets/redrive_style.h"
#include "ui/widgets/style_parts.h"

#include <QAbstractItemView>
#include <QStyleOption>

namespace redrive {

namespace {

constexpr int kScrollBar = 12;
constexpr int kShortestSlider = 28;
constexpr int kSpinButtons = 18;

} // namespace

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
    if (element == SE_ProgressBarContents || element == SE_ProgressBarGroove)
        return option->rect;
    if (element == SE_DockWidgetCloseButton || element == SE_DockWidgetFloatButton)
        return QProxyStyle::subElementRect(element, option, widget).translated(-6, 0);
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
        item.setHeight(qMax(item.height(), look.compact ? look.size.tableRowCompact : look.size.tableRow));
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
        return 0;
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

} // namespace redrive
