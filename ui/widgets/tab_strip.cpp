#include "ui/widgets/tab_strip.h"

#include "ui/models/format.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"

#include <QPainter>

namespace redrive {

namespace {

constexpr int kPad = 9;
constexpr int kCountGap = 5;

} // namespace

TabStrip::TabStrip(QWidget* parent) : QTabBar(parent)
{
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(false);
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_Hover);
}

void TabStrip::setCount(int index, qint64 count)
{
    setTabData(index, count < 0 ? QVariant() : QVariant(count));
    setAccessibleTabName(index,
                         count < 0 ? tabText(index) : tabText(index) + u", "_s + format::number(count));
    updateGeometry();
    update();
}

QString TabStrip::countText(int index) const
{
    const auto shown = tabData(index);
    return shown.isValid() ? format::number(shown.toLongLong()) : QString();
}

QSize TabStrip::tabSizeHint(int index) const
{
    const auto& look = Look::current();
    const QFontMetrics metrics(look.font.bodyStrong); // the wider of both, so that choosing moves nothing
    int width = metrics.horizontalAdvance(tabText(index)) + 2 * kPad;
    if (const auto count = countText(index); !count.isEmpty())
        width += kCountGap + QFontMetrics(look.font.small).horizontalAdvance(count);
    return {width, metrics.height() + 16};
}

void TabStrip::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    const auto pointer = mapFromGlobal(QCursor::pos());
    for (int i = 0; i < count(); ++i) {
        if (!isTabVisible(i))
            continue;
        const QRectF tab = tabRect(i);
        const bool chosen = i == currentIndex();
        const bool hover = underMouse() && tabRect(i).contains(pointer);
        const auto& font = chosen ? look.font.bodyStrong : look.font.body;
        const auto text = tabText(i);
        const auto colour = !isTabEnabled(i)  ? look.text.disabled
                            : chosen || hover ? look.text.primary
                                              : look.text.secondary;
        const auto words = tab.adjusted(kPad, 0, 0, 0);
        paint::text(&painter, words, text, font, colour);
        const auto width = QFontMetricsF(font).horizontalAdvance(text);
        if (const auto count = countText(i); !count.isEmpty())
            paint::text(&painter, words.adjusted(width + kCountGap, 0, 0, 0), count, look.font.small,
                        look.text.tertiary);
        if (chosen)
            painter.fillRect(QRectF(tab.left() + kPad, tab.bottom() - look.size.accentBar,
                                    tab.width() - 2 * kPad, look.size.accentBar),
                             look.accent.line);
        if (chosen && hasFocus())
            paint::focusRing(&painter, tab.adjusted(2, 4, -2, -4), look.radius.control);
    }
}

} // namespace redrive
