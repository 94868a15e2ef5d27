#include "ui/widgets/digit_painter.h"

#include <QPainter>

namespace redrive {

namespace {

bool isDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

} // namespace

DigitPainter::DigitPainter(const QFont& font) : m_font(font), m_metrics(font)
{
    for (int i = 0; i < 10; ++i) {
        m_advances[i] = m_metrics.horizontalAdvance(QChar(u'0' + i));
        m_digit = qMax(m_digit, m_advances[i]);
    }
    for (const auto advance : m_advances)
        m_uniform = m_uniform && qAbs(advance - m_digit) < 0.01;
}

qreal DigitPainter::width(QStringView text) const
{
    if (m_uniform)
        return m_metrics.horizontalAdvance(text.toString());
    qreal width = 0;
    qsizetype at = 0;
    while (at < text.size()) {
        auto end = at;
        const bool digits = isDigit(text[at]);
        while (end < text.size() && isDigit(text[end]) == digits)
            ++end;
        width += digits ? m_digit * qreal(end - at)
                        : m_metrics.horizontalAdvance(text.mid(at, end - at).toString());
        at = end;
    }
    return width;
}

void DigitPainter::draw(QPainter* painter, const QRectF& rect, Qt::Alignment alignment,
                        const QString& text) const
{
    painter->setFont(m_font);
    if (m_uniform) {
        painter->drawText(rect, int(alignment | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip),
                          text);
        return;
    }
    qreal x = rect.left();
    if (alignment & Qt::AlignRight)
        x = rect.right() - width(text);
    else if (alignment & Qt::AlignHCenter)
        x = rect.center().x() - width(text) / 2;
    const qreal y = rect.top() + (rect.height() - m_metrics.height()) / 2 + m_metrics.ascent();
    qsizetype at = 0;
    while (at < text.size()) {
        if (isDigit(text[at])) {
            const auto digit = text[at].unicode() - u'0';
            painter->drawText(QPointF(x + (m_digit - m_advances[digit]) / 2, y), text.mid(at, 1));
            x += m_digit;
            ++at;
            continue;
        }
        auto end = at;
        while (end < text.size() && !isDigit(text[end]))
            ++end;
        const auto run = text.mid(at, end - at);
        painter->drawText(QPointF(x, y), run);
        x += m_metrics.horizontalAdvance(run);
        at = end;
    }
}

} // namespace redrive
