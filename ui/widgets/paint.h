// Small painting helpers that are exact at 100, 125 and 200 %. Window thread.
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

class QFont;
class QPainter;

namespace redrive::paint {

// One device pixel along the inner edge of `rect`.
void hairline(QPainter* painter, const QRectF& rect, Qt::Edge edge, const QColor& colour);
// A filled rounded rectangle with a line of `width` inside its edge; an invalid colour leaves that part out.
void roundedBox(QPainter* painter, const QRectF& rect, qreal radius, const QColor& fill, const QColor& line,
                qreal width = 1);
// The ring of keyboard focus, Look::size.focusRing wide, inside `rect`.
void focusRing(QPainter* painter, const QRectF& rect, qreal radius);
// A key as a small cap ("M"); answers the width it needs with a null painter.
qreal keyCap(QPainter* painter, const QRectF& rect, const QString& key);
// One line of text, elided at the right, vertically centred.
void text(QPainter* painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& colour,
          Qt::Alignment alignment = Qt::AlignLeft);

// Text wrapped at words, and inside a word only when it is wider than the rectangle; answers the height it
// takes. A null painter only measures.
qreal wrappedText(QPainter* painter, const QRectF& rect, const QString& text, const QFont& font,
                  const QColor& colour);

} // namespace redrive::paint
