// Small charts without axes, for tiles and group rows. Window thread; plain painting, no state.
#pragma once

#include <QColor>
#include <QList>
#include <QRectF>

class QPainter;

namespace redrive::spark {

// Bars from the oldest value to the newest; the last `hot` in the second colour. The scale starts at 0; a
// value above 0 is never thinner than one pixel.
void bars(QPainter* painter, const QRectF& rect, const QList<double>& values, const QColor& colour,
          const QColor& hotColour, int hot);
// A line over the range of its own values.
void line(QPainter* painter, const QRectF& rect, const QList<double>& values, const QColor& colour);

} // namespace redrive::spark
