// Fusion with Redrive's own lines: buttons, fields, headers, menus, tabs, scroll bars. Colours and sizes come
// from Look::current() at every paint. Window thread.
//
// Dynamic properties it knows (set them with the helpers of ui/widgets/buttons.h):
//   "accent"  bool     QPushButton: the one filled button of a surface
//   "small"   bool     QPushButton, QComboBox: 22 px, font small
//   "keyCap"  QString  QPushButton: the key that does the same, drawn as a cap
//   "segment" QString  QPushButton: "first", "middle", "last" of a switch (SegmentedSwitch)
#pragma once

#include <QProxyStyle>

namespace redrive {

class RedriveStyle final : public QProxyStyle
{
    Q_OBJECT
public:
    RedriveStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl subControl,
                         const QWidget* widget = nullptr) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget = nullptr) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget = nullptr) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                    const QWidget* widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                  QStyleHintReturn* data = nullptr) const override;
    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option = nullptr,
                       const QWidget* widget = nullptr) const override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
};

} // namespace redrive
