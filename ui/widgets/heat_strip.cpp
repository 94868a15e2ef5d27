#include "ui/widgets/heat_strip.h"

#include "ui/widgets/look.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kCells = 2 * 96;
constexpr int kRows = 4;
constexpr int kInRow = kCells / kRows;
constexpr int kRowHeight = 14;
constexpr int kGap = 3;
constexpr int kLabelWidth = 88;
constexpr int kLegendHeight = 20;

// What failed stands at the foot of the cell, so that it is seen without its colour too.
void paintCell(QPainter* painter, const QRectF& rect, const EndpointFigures* figures)
{
    const auto& look = Look::current();
    const auto rate = figures ? figures->successRate() : std::nullopt;
    if (!rate) {
        painter->fillRect(rect, look.background.sunken);
        return;
    }
    painter->fillRect(rect, look.states.value(QStringLiteral("done")).icon);
    if (*rate >= 1)
        return;
    const qreal height = std::max<qreal>(3, rect.height() * (1 - *rate));
    painter->fillRect(QRectF(rect.left(), rect.bottom() - height, rect.width(), height),
                      look.states.value(QStringLiteral("dead")).icon);
}

} // namespace

HeatStrip::HeatStrip(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Deliveries of the last two days"));
}

void HeatStrip::setSlots(const QList<EndpointSlot>& quarters, qint64 nowMs)
{
    m_slots = quarters;
    const qint64 lastMs = nowMs - nowMs % kEndpointSlotMs;
    m_firstMs = lastMs - (kCells - 1) * kEndpointSlotMs;
    EndpointFigures all;
    for (const EndpointSlot& slot : m_slots)
        all.add(slot.figures);
    setAccessibleDescription(tr("%1 of %2 attempts were delivered")
                                 .arg(format::number(all.delivered), format::number(all.attempts)));
    update();
}

void HeatStrip::setZone(format::Zone zone)
{
    m_zone = zone;
    update();
}

QSize HeatStrip::sizeHint() const
{
    return {360, kRows * (kRowHeight + kGap) + kLegendHeight};
}

QRectF HeatStrip::rectOf(int index) const
{
    const qreal step = qreal(width() - kLabelWidth) / kInRow;
    const qreal left = kLabelWidth + step * (index % kInRow);
    return {left, qreal(index / kInRow) * (kRowHeight + kGap), std::max(1.0, step - 1), kRowHeight};
}

const EndpointFigures* HeatStrip::figuresOf(int index) const
{
    const qint64 atMs = m_firstMs + index * kEndpointSlotMs;
    const auto found = std::lower_bound(m_slots.begin(), m_slots.end(), atMs,
                                        [](const EndpointSlot& slot, qint64 at) { return slot.atMs < at; });
    return found != m_slots.end() && found->atMs == atMs ? &found->figures : nullptr;
}

QString HeatStrip::wordsOf(int index) const
{
    const QString at = format::fullTime(m_firstMs + index * kEndpointSlotMs, m_zone);
    const EndpointFigures* figures = figuresOf(index);
    return figures ? tr("%1: %2 of %3 attempts delivered")
                         .arg(at, format::number(figures->delivered), format::number(figures->attempts))
                   : tr("%1: nothing was sent").arg(at);
}

void HeatStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto& look = Look::current();
    painter.setFont(look.font.micro);
    for (int row = 0; row < kRows; ++row) {
        const QRectF first = rectOf(row * kInRow);
        painter.setPen(look.text.tertiary);
        painter.drawText(QRectF(0, first.top(), kLabelWidth - 8, kRowHeight),
                         Qt::AlignRight | Qt::AlignVCenter,
                         format::clockTime(m_firstMs + row * kInRow * kEndpointSlotMs, m_zone,
                                           m_firstMs + kCells * kEndpointSlotMs)
                             .chopped(3));
    }
    for (int i = 0; i < kCells; ++i)
        paintCell(&painter, rectOf(i), figuresOf(i));
    const qreal top = kRows * (kRowHeight + kGap);
    painter.setPen(look.text.tertiary);
    painter.drawText(QRectF(kLabelWidth, top, width() - kLabelWidth, kLegendHeight),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     tr("A cell is a quarter of an hour; what failed stands at its foot"));
}

bool HeatStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int i = 0; i < kCells; ++i) {
        if (!rectOf(i).contains(help->pos()))
            continue;
        QToolTip::showText(help->globalPos(), format::plainToolTip(wordsOf(i)), this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

} // namespace redrive
