// How the strip is painted.
#include "ui/models/state_words.h"
#include "ui/pages/telemetry_strip.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"

#include <QComboBox>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace redrive {

namespace {

QColor colourOf(qsizetype source)
{
    const auto& series = Look::current().chart.series;
    return series.isEmpty() ? Look::current().text.secondary : series[source % series.size()];
}

} // namespace

void TelemetryStrip::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    painter.fillRect(rect(), look.background.base);
    paint::hairline(&painter, rect(), Qt::BottomEdge, look.border.standard);
    paintHead(&painter);
    paintBars(&painter);
    paintAxis(&painter);
    if (hasFocus())
        paint::focusRing(&painter, QRectF(rect()).adjusted(1, 1, -1, -2), look.radius.control);
}

void TelemetryStrip::paintHead(QPainter* painter) const
{
    const auto& look = Look::current();
    qreal x = look.space.pageInset;
    const qreal end = m_tenants->x() - 8;
    const qreal tall = plot().top() - 2;
    const auto write = [&](const QString& text, const QFont& font, const QColor& colour) {
        const qreal wide = QFontMetricsF(font).horizontalAdvance(text) + 2;
        paint::text(painter, QRectF(x, 0, qMin(wide, end - x), tall), text, font, colour);
        x += wide;
        return x < end;
    };
    if (!write(tr("Rows per minute"), look.font.bodyStrong, look.text.primary))
        return;
    x += 14;
    const QStringList& sources = m_history.sources();
    for (qsizetype i = 0; i < sources.size() && x + 40 < end; ++i) {
        qint64 rows = 0;
        for (const TelemetryBar& bar : m_bars)
            rows += bar.rows[i];
        painter->fillRect(QRectF(x, tall / 2 - 4, 8, 8), colourOf(i));
        x += 13;
        if (!write(sourceWords(sources[i]), look.font.small, look.text.secondary))
            return;
        x += 4;
        if (!write(format::number(rows), look.font.smallStrong, look.text.primary))
            return;
        x += 14;
    }
    if (const auto from = m_history.countedFromMs(); from && x + 60 < end)
        write(tr("counted from %1: the newest %2 rows")
                  .arg(format::clockTime(*from, m_zone, m_history.toMs()).chopped(3),
                       format::number(TelemetryMinutes::kMostRows)),
              look.font.small, look.text.tertiary);
}

void TelemetryStrip::paintRange(QPainter* painter, const QRectF& area, bool chosen) const
{
    const auto& look = Look::current();
    QColor fill = look.chart.rangeSelect;
    fill.setAlphaF(float(look.chart.rangeAlpha));
    painter->fillRect(area, fill);
    paint::hairline(painter, area, Qt::LeftEdge, look.chart.rangeSelect);
    paint::hairline(painter, area, Qt::RightEdge, look.chart.rangeSelect);
    if (chosen)
        painter->fillRect(QRectF(area.left(), area.bottom() - 1, area.width(), 2), look.chart.rangeSelect);
}

void TelemetryStrip::paintBars(QPainter* painter) const
{
    const auto& look = Look::current();
    const QRectF area = plot();
    paint::hairline(painter, area, Qt::TopEdge, look.chart.grid);
    paint::hairline(painter, area.translated(0, 1), Qt::BottomEdge, look.border.standard);
    if (m_bars.isEmpty())
        return;
    qint64 most = 1;
    for (const TelemetryBar& bar : m_bars)
        most = qMax(most, bar.all);
    const qreal gap = rectOf(0).width() >= 4 ? 1 : 0;
    for (qsizetype i = 0; i < m_bars.size(); ++i) {
        const QRectF place = rectOf(i);
        const qreal left = std::round(place.left());
        const qreal wide = qMax(1.0, std::round(place.right()) - left - gap);
        qreal bottom = area.bottom();
        for (qsizetype source = 0; source < m_bars[i].rows.size(); ++source) {
            const qint64 rows = m_bars[i].rows[source];
            if (rows == 0)
                continue;
            const qreal tall = qMax(1.0, std::round(qreal(rows) / qreal(most) * (area.height() - 8)));
            painter->fillRect(QRectF(left, bottom - tall, wide, tall),
                              m_stale ? look.text.tertiary : colourOf(source));
            bottom -= tall;
        }
    }
    paint::text(painter, QRectF(area.left(), area.top() + 1, area.width(), 14), format::number(most),
                look.font.micro, look.chart.axisText, Qt::AlignLeft);
    if (m_rangeFromMs < m_rangeToMs) {
        const qint64 span = m_history.toMs() - m_history.fromMs();
        const auto xOf = [&](qint64 ms) {
            const qreal part = qreal(ms - m_history.fromMs()) / qreal(span);
            return area.left() + area.width() * std::clamp(part, 0.0, 1.0);
        };
        const qreal left = xOf(m_rangeFromMs);
        const qreal right = xOf(m_rangeToMs);
        if (right > left)
            paintRange(painter, QRectF(left, area.top(), right - left, area.height()), true);
    }
    if (m_cursor >= 0 && m_anchor >= 0 && m_anchor < m_bars.size() && (m_dragging || hasFocus())) {
        const auto [first, last] = std::minmax(m_cursor, m_anchor);
        paintRange(painter, rectOf(first).united(rectOf(last)), false);
    }
}

void TelemetryStrip::paintAxis(QPainter* painter) const
{
    if (m_bars.isEmpty())
        return;
    const auto& look = Look::current();
    const QRectF area = plot();
    const qint64 tick = m_history.spanMs() / 6 / kMsOfMinute * kMsOfMinute;
    const QFontMetricsF metrics(look.font.micro);
    const qint64 first = m_history.fromMs() - m_history.fromMs() % tick + tick;
    for (qint64 at = first; at < m_history.toMs(); at += tick) {
        const qreal x =
            area.left() + area.width() * qreal(at - m_history.fromMs()) / qreal(m_history.spanMs());
        const QString words = format::clockTime(at, m_zone, m_history.toMs()).chopped(3);
        const qreal wide = metrics.horizontalAdvance(words) + 4;
        const QRectF label(x - wide / 2, height() - kAxis, wide, kAxis - 1);
        if (label.left() >= 0 && label.right() < width())
            paint::text(painter, label, words, look.font.micro, look.chart.axisText, Qt::AlignHCenter);
    }
}

} // namespace redrive
