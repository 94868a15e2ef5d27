// Draws text whose digits are of equal width. Before Qt 6.7 a font's proportional digits cannot be switched,
// so each is centred in the widest digit's advance. Measure once per font, then keep. Window thread.
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QRectF>

class QPainter;

namespace redrive {

class DigitPainter final
{
public:
    explicit DigitPainter(const QFont& font);

    const QFont& font() const { return m_font; }
    qreal width(QStringView text) const;
    // One line, in the painter's pen; the baseline is where drawText() with AlignVCenter puts it.
    void draw(QPainter* painter, const QRectF& rect, Qt::Alignment alignment, const QString& text) const;

private:
    QFont m_font;
    QFontMetricsF m_metrics;
    qreal m_digit = 0;      // widest advance
    qreal m_advances[10]{}; // of each digit
    bool m_uniform = true;
};

} // namespace redrive
