#include "ui/widgets/paint.h"

#include "ui/widgets/look.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>

#include <cmath>

namespace redrive::paint {

namespace {

// Logical coordinates of the device pixel border nearest to a logical coordinate.
struct Snap
{
    explicit Snap(const QPainter* painter)
        : ratio(painter->device()->devicePixelRatioF()), origin(painter->deviceTransform().map(QPointF()))
    {
    }
    qreal x(qreal value) const { return (std::round(value * ratio + origin.x()) - origin.x()) / ratio; }
    qreal y(qreal value) const { return (std::round(value * ratio + origin.y()) - origin.y()) / ratio; }
    QRectF rect(const QRectF& r) const
    {
        return QRectF(QPointF(x(r.left()), y(r.top())), QPointF(x(r.right()), y(r.bottom())));
    }

    qreal ratio;
    QPointF origin;
};

} // namespace

void hairline(QPainter* painter, const QRectF& rect, Qt::Edge edge, const QColor& colour)
{
    const Snap snap(painter);
    auto line = snap.rect(rect);
    const auto one = 1 / snap.ratio;
    switch (edge) {
    case Qt::TopEdge:
        line.setHeight(one);
        break;
    case Qt::BottomEdge:
        line.setTop(line.bottom() - one);
        break;
    case Qt::LeftEdge:
        line.setWidth(one);
        break;
    case Qt::RightEdge:
        line.setLeft(line.right() - one);
        break;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->fillRect(line, colour);
    painter->restore();
}

void roundedBox(QPainter* painter, const QRectF& rect, qreal radius, const QColor& fill, const QColor& line,
                qreal width)
{
    const Snap snap(painter);
    const auto pen = std::max(1.0, std::round(width * snap.ratio)) / snap.ratio;
    auto box = snap.rect(rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    if (line.isValid()) {
        // A ring as the difference of two fills: no half-covered pixels on straight edges.
        QPainterPath ring;
        ring.setFillRule(Qt::OddEvenFill);
        const auto inner = box.adjusted(pen, pen, -pen, -pen);
        if (fill.isValid()) {
            painter->setBrush(fill);
            painter->drawRoundedRect(box.adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), radius, radius);
        }
        ring.addRoundedRect(box, radius, radius);
        ring.addRoundedRect(inner, std::max(0.0, radius - pen), std::max(0.0, radius - pen));
        painter->fillPath(ring, line);
    } else if (fill.isValid()) {
        painter->setBrush(fill);
        painter->drawRoundedRect(box, radius, radius);
    }
    painter->restore();
}

void focusRing(QPainter* painter, const QRectF& rect, qreal radius)
{
    const auto& look = Look::current();
    roundedBox(painter, rect, radius, {}, look.border.focus, look.size.focusRing);
}

qreal keyCap(QPainter* painter, const QRectF& rect, const QString& key)
{
    const auto& look = Look::current();
    const QFontMetricsF metrics(look.font.micro);
    const auto height = std::ceil(metrics.height());
    const auto width = std::max(height, std::ceil(metrics.horizontalAdvance(key)) + 8);
    if (!painter)
        return width;
    const QRectF cap(rect.left(), rect.center().y() - height / 2, width, height);
    roundedBox(painter, cap, 3, look.background.raised, look.border.button);
    text(painter, cap, key, look.font.micro, look.text.tertiary, Qt::AlignHCenter);
    return width;
}

void text(QPainter* painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& colour,
          Qt::Alignment alignment)
{
    if (rect.width() <= 0 || text.isEmpty())
        return;
    const QFontMetricsF metrics(font);
    painter->setFont(font);
    painter->setPen(colour);
    const auto shown = metrics.horizontalAdvance(text) > rect.width() + 0.5
                           ? metrics.elidedText(text, Qt::ElideRight, rect.width())
                           : text;
    painter->drawText(rect, int(alignment | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip), shown);
}

qreal wrappedText(QPainter* painter, const QRectF& rect, const QString& text, const QFont& font,
                  const QColor& colour)
{
    auto lines = text;
    lines.replace(u'\n', QChar::LineSeparator);
    QTextLayout layout(lines, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    qreal y = 0;
    layout.beginLayout();
    for (auto line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(rect.width());
        line.setPosition({0, y});
        y += std::ceil(line.height());
    }
    layout.endLayout();
    if (painter) {
        painter->setPen(colour);
        layout.draw(painter, rect.topLeft());
    }
    return y;
}

} // namespace redrive::paint
