// The drawing of RedriveStyle, one function per control; used by it alone. Window thread.
#pragma once

#include <QSize>

class QPainter;
class QRect;
class QStyleOption;
class QStyleOptionButton;
class QStyleOptionComboBox;
class QStyleOptionHeader;
class QStyleOptionMenuItem;
class QStyleOptionProgressBar;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionTab;
class QStyleOptionToolButton;
class QWidget;

namespace redrive::style_parts {

void pushButton(const QStyleOptionButton& option, QPainter* painter, const QWidget* widget);
QSize pushButtonSize(const QStyleOptionButton& option, const QWidget* widget);
void toolButtonPanel(const QStyleOption& option, QPainter* painter);
void checkIndicator(const QStyleOption& option, QPainter* painter);
void radioIndicator(const QStyleOption& option, QPainter* painter);

void field(const QStyleOption& option, QPainter* painter);
void comboBox(const QStyleOptionComboBox& option, QPainter* painter);
void spinBox(const QStyleOptionSpinBox& option, QPainter* painter, const QRect& up, const QRect& down);
void progressBar(const QStyleOptionProgressBar& option, QPainter* painter);
void scrollBar(const QStyleOptionSlider& option, QPainter* painter, const QRect& slider);

void headerSection(const QStyleOptionHeader& option, QPainter* painter);
void headerLabel(const QStyleOptionHeader& option, QPainter* painter);
void tabShape(const QStyleOptionTab& option, QPainter* painter);

void menuItem(const QStyleOptionMenuItem& option, QPainter* painter, const QWidget* widget);
QSize menuItemSize(const QStyleOptionMenuItem& option, const QWidget* widget);
void menuBarItem(const QStyleOptionMenuItem& option, QPainter* painter);

} // namespace redrive::style_parts
