#include "ui/widgets/tile_band.h"

#include "ui/widgets/digit_painter.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/sparkline.h"

#include <QHBoxLayout>
#include <QPainter>

namespace redrive {

namespace {

constexpr int kSparkWidth = 76;
constexpr int kSparkHeight = 26;
constexpr int kLineGap = 2;

} // namespace

Tile::Tile(QWidget* parent, int contextLines) : QAbstractButton(parent), m_contextLines(contextLines)
{
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Tile::setView(const TileView& view)
{
    m_view = view;
    setAccessibleName(tr("%1, %2 %3, show rows").arg(view.caption, view.figure, view.unit).simplified());
    setAccessibleDescription(view.context);
    update();
}

QSize Tile::sizeHint() const
{
    const auto& look = Look::current();
    const int lines = QFontMetrics(look.font.small).height() * (1 + m_contextLines) +
                      QFontMetrics(look.font.figure).height() + 2 * kLineGap;
    return {200, qMax(look.size.tile, lines + 20)};
}

QSize Tile::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

void Tile::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    const QRectF whole = rect();
    painter.fillRect(whole, isDown()       ? look.background.pressed
                            : underMouse() ? look.background.hover
                                           : look.background.base);
    const QFontMetricsF small(look.font.small);
    const QFontMetricsF figure(look.font.figure);
    const auto content = small.height() * (1 + m_contextLines) + figure.height() + 2 * kLineGap;
    const qreal left = look.space.pageInset;
    const qreal right = whole.right() - look.space.pageInset;
    qreal y = whole.top() + (whole.height() - 1 - content) / 2;
    paint::text(&painter, QRectF(left, y, right - left, small.height()), m_view.caption, look.font.small,
                look.text.secondary);
    y += small.height() + kLineGap;

    const QRectF line(left, y, right - left, figure.height());
    qreal x = left;
    if (!m_view.glyph.isEmpty()) {
        paintStateGlyph(&painter, QRectF(x, line.center().y() - 8, 16, 16), m_view.glyph);
        x += 16 + look.space.iconToText;
    }
    const DigitPainter digits(look.font.figure);
    painter.setPen(look.text.primary);
    digits.draw(&painter, QRectF(x, line.top(), line.right() - x, line.height()), Qt::AlignLeft,
                m_view.figure);
    x += digits.width(m_view.figure) + look.space.iconToText;
    // The unit stands on the baseline of the figure.
    const auto baseline = line.top() + figure.ascent();
    const QFontMetricsF body(look.font.body);
    const bool room = right - x - body.horizontalAdvance(m_view.unit) > kSparkWidth + 8;
    painter.setFont(look.font.body);
    painter.setPen(look.text.secondary);
    painter.drawText(QPointF(x, baseline), m_view.unit);
    if (room) {
        const QRectF spark(right - kSparkWidth, line.bottom() - kSparkHeight + 4, kSparkWidth, kSparkHeight);
        if (m_view.bars)
            spark::bars(&painter, spark, m_view.spark, look.border.control, look.state(u"dead"_s).icon,
                        m_view.sparkHot);
        else
            spark::line(&painter, spark.adjusted(0, 4, 0, -4), m_view.spark, look.text.tertiary);
    }
    y = line.bottom() + kLineGap;
    for (const QString& context : m_view.context.split(u'\n').first(
             qMin<qsizetype>(m_contextLines, m_view.context.count(u'\n') + 1))) {
        paint::text(&painter, QRectF(left, y, right - left, small.height()), context,
                    m_view.contextState.isEmpty() ? look.font.small : look.font.smallStrong,
                    m_view.contextState.isEmpty() ? look.text.tertiary
                                                  : look.state(m_view.contextState).text);
        y += small.height();
    }
    if (hasFocus())
        paint::focusRing(&painter, whole.adjusted(1, 1, -1, -2), look.radius.control);
}

TileBand::TileBand(int tiles, QWidget* parent, int contextLines) : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 1);
    row->setSpacing(1);
    for (int i = 0; i < tiles; ++i) {
        auto* tile = new Tile(this, contextLines);
        connect(tile, &QAbstractButton::clicked, this, [this, i] { Q_EMIT tileChosen(i); });
        row->addWidget(tile, 1);
        m_tiles.append(tile);
    }
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void TileBand::setTile(int index, const TileView& view)
{
    if (index >= 0 && index < m_tiles.size())
        m_tiles[index]->setView(view);
}

void TileBand::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    painter.fillRect(rect(), look.background.base);
    paint::hairline(&painter, rect(), Qt::BottomEdge, look.border.standard);
    for (qsizetype i = 0; i + 1 < m_tiles.size(); ++i) {
        const QRectF gap(m_tiles[i]->geometry().right() + 1, 0, 1, height());
        paint::hairline(&painter, gap, Qt::LeftEdge, look.border.standard);
    }
}

} // namespace redrive
