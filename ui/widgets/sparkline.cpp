#include "ui/widgets/sparkline.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace redrive::spark {

void bars(QPainter* painter, const QRectF& rect, const QList<double>& values, const QColor& colour,
          const QColor& hotColour, int hot)
{
    if (values.isEmpty() || rect.width() <= 0)
        return;
    constexpr qreal gap = 1;
    constexpr qreal widest = 5;
    const auto largest = std::max(1e-9, *std::max_element(values.begin(), values.end()));
    const auto step = std::min(widest + gap, rect.width() / qreal(values.size()));
    const auto bar = std::max(1.0, std::floor(step - gap));
    const auto stride = bar + gap > rect.width() / qreal(values.size()) ? step : bar + gap;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    for (qsizetype i = 0; i < values.size(); ++i) {
        const auto height = std::max(1.0, std::round(rect.height() * std::max(0.0, values[i]) / largest));
        const auto left = rect.left() + std::round(stride * qreal(i));
        painter->fillRect(QRectF(left, rect.bottom() - height, bar, height),
                          i >= values.size() - hot && values[i] > 0 ? hotColour : colour);
    }
    painter->restore();
}

void line(QPainter* painter, const QRectF& rect, const QList<double>& values, const QColor& colour)
{
    if (values.size() < 2)
        return;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const auto range = *high - *low;
    QPolygonF points;
    for (qsizetype i = 0; i < values.size(); ++i) {
        const auto part = range > 0 ? (values[i] - *low) / range : 0.5;
        points.append({rect.left() + rect.width() * qreal(i) / qreal(values.size() - 1),
                       rect.bottom() - rect.height() * part});
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(points);
    painter->restore();
}

} // namespace redrive::spark
