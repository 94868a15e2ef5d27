#include "ui/pages/throughput_strip.h"

#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"

#include <QPainter>

#include <cmath>

namespace redrive {

struct ThroughputStrip::Lane
{
    QString name;
    QString state;
    double ThroughputStep::*value;
    double share; // of the plot's height
    bool area;
    bool gauge = false; // a level, not a rate: the step under way already tells it
};

namespace {

constexpr int kHead = 36;
constexpr int kAxis = 20;
constexpr int kLeft = 56; // axis labels
constexpr int kHeight = 232;
constexpr int kGap = 8;
constexpr double kAreaAlpha = 0.24;

// The next of 1, 2, 5 × 10ⁿ: scales that can be read.
double niceTop(double value)
{
    if (value <= 0)
        return 1;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0, 10.0})
        if (value <= step * power)
            return step * power;
    return 10 * power;
}

QString rate(double value)
{
    const bool whole = value == std::floor(value);
    return format::number(value, value < 10 && !whole ? 1 : 0);
}

} // namespace

ThroughputStrip::ThroughputStrip(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Throughput of the last ten minutes"));
    setMinimumHeight(kHeight);
}

QSize ThroughputStrip::sizeHint() const
{
    return {640, kHeight};
}

void ThroughputStrip::setHistory(const ThroughputHistory& history)
{
    m_steps = history.steps();
    update();
}

void ThroughputStrip::setZone(format::Zone zone)
{
    m_zone = zone;
    update();
}

QList<ThroughputStrip::Lane> ThroughputStrip::lanes() const
{
    return {{tr("done"), u"done"_s, &ThroughputStep::done, 0.4, true},
            {tr("failed"), u"retrying"_s, &ThroughputStep::failed, 0.18, false},
            {tr("dead"), u"dead"_s, &ThroughputStep::dead, 0.18, false},
            {tr("backlog"), u"pending"_s, &ThroughputStep::backlog, 0.24, true, true}};
}

void ThroughputStrip::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    painter.fillRect(rect(), look.background.base);
    paint::hairline(&painter, rect(), Qt::BottomEdge, look.border.standard);
    const auto all = lanes();
    paintHead(&painter, all);
    const int inset = look.space.pageInset;
    const QRectF plot(kLeft, kHead, width() - kLeft - inset, height() - kHead - kAxis);
    double top = plot.top();
    for (const auto& lane : all) {
        const double laneHeight = plot.height() * lane.share;
        paintLane(&painter, QRectF(plot.left(), top, plot.width(), laneHeight - kGap), lane);
        top += laneHeight;
    }
    paintAxis(&painter, plot);
}

void ThroughputStrip::paintHead(QPainter* painter, const QList<Lane>& lanes) const
{
    const auto& look = Look::current();
    double x = look.space.pageInset;
    const auto write = [&](const QString& text, const QFont& font, const QColor& colour) {
        const double wide = QFontMetricsF(font).horizontalAdvance(text) + 2;
        paint::text(painter, QRectF(x, 0, wide, kHead), text, font, colour);
        x += wide;
    };
    write(tr("Throughput"), look.font.bodyStrong, look.text.primary);
    x += 6;
    write(tr("jobs/s"), look.font.small, look.text.tertiary);
    x += 16;
    // The step under way is not whole yet: the legend names the one before.
    const auto* shown = m_steps.size() > 1 ? &m_steps[m_steps.size() - 2] : nullptr;
    for (const auto& lane : lanes) {
        painter->fillRect(QRectF(x, kHead / 2.0 - 4, 8, 8), look.state(lane.state).icon);
        x += 13;
        write(lane.name, look.font.small, look.text.secondary);
        x += 4;
        const auto* told = lane.gauge && !m_steps.empty() ? &m_steps.back() : shown;
        write(told ? rate(told->*lane.value) : format::unknown(), look.font.smallStrong, look.text.primary);
        x += 14;
    }
}

void ThroughputStrip::paintLane(QPainter* painter, const QRectF& rect, const Lane& lane) const
{
    const auto& look = Look::current();
    double most = 0;
    for (const auto& step : m_steps)
        most = qMax(most, step.*lane.value);
    const double top = niceTop(most);
    paint::hairline(painter, rect, Qt::TopEdge, look.chart.grid);
    paint::hairline(painter, rect, Qt::BottomEdge, look.border.standard);
    const QRectF labels(0, rect.top() - 8, kLeft - 8, 16);
    paint::text(painter, labels, rate(top), look.font.micro, look.chart.axisText, Qt::AlignRight);

    const auto colour = look.state(lane.state).icon;
    auto fill = colour;
    fill.setAlphaF(float(kAreaAlpha));
    const double wide = rect.width() / ThroughputHistory::kSteps;
    for (size_t i = 0; i < m_steps.size(); ++i) {
        const double value = m_steps[i].*lane.value;
        if (value <= 0)
            continue;
        const double tall = qMax(1.0, value / top * (rect.height() - 1));
        const double left = rect.right() - double(m_steps.size() - i) * wide;
        const QRectF bar(left, rect.bottom() - tall, qMax(1.0, wide - 1), tall);
        painter->fillRect(bar, lane.area ? fill : colour);
        if (lane.area)
            painter->fillRect(QRectF(bar.left(), bar.top(), bar.width(), 1.5), colour);
    }
}

void ThroughputStrip::paintAxis(QPainter* painter, const QRectF& plot) const
{
    if (m_steps.empty())
        return;
    const auto& look = Look::current();
    const qint64 end = m_steps.back().startMs + ThroughputHistory::kStepMs;
    const qint64 span = ThroughputHistory::kStepMs * ThroughputHistory::kSteps;
    constexpr qint64 kTick = 120'000;
    for (qint64 at = end - end % kTick; at > end - span; at -= kTick) {
        const double x = plot.right() - double(end - at) / double(span) * plot.width();
        const auto words = format::clockTime(at, m_zone, end).section(u':', 0, 1);
        const double wide = QFontMetricsF(look.font.micro).horizontalAdvance(words) + 4;
        const QRectF label(qMin(x - wide / 2, plot.right() - wide), height() - kAxis, wide, kAxis);
        if (label.left() >= plot.left())
            paint::text(painter, label, words, look.font.micro, look.chart.axisText, Qt::AlignHCenter);
    }
}

} // namespace redrive
