#include "ui/widgets/timeline_list.h"

#include "ui/widgets/digit_painter.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

namespace redrive {

namespace {

constexpr int kRowPad = 6;
constexpr int kGap = 10;
constexpr int kWrap = Qt::TextWordWrap | Qt::TextWrapAnywhere;

QString accessibleLine(const TimelineEntry& entry, format::Zone zone)
{
    return format::fullTime(entry.atMs, zone) + u", "_s + entry.text +
           (entry.detail.isEmpty() ? QString() : u", "_s + entry.detail);
}

} // namespace

TimelineList::TimelineList(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Timeline"));
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    verticalScrollBar()->setSingleStep(24);
}

void TimelineList::setEntries(const QList<TimelineEntry>& entries)
{
    m_entries = entries;
    QStringList lines;
    for (const auto& entry : entries)
        lines.append(accessibleLine(entry, m_zone));
    setAccessibleDescription(lines.join(u'\n'));
    layOut();
    viewport()->update();
}

void TimelineList::setZone(format::Zone zone)
{
    m_zone = zone;
    layOut();
    viewport()->update();
}

void TimelineList::setNow(qint64 utcMs)
{
    m_nowMs = utcMs;
    layOut();
}

int TimelineList::timeWidth() const
{
    const DigitPainter digits(Look::current().font.body);
    qreal width = 0;
    for (const auto& entry : m_entries)
        width = qMax(width, digits.width(format::clockTime(entry.atMs, m_zone, m_nowMs)));
    return int(width) + 1;
}

void TimelineList::layOut()
{
    const auto& look = Look::current();
    const int left = look.space.paneInset + timeWidth() + 2 * kGap + look.icon.state;
    const int width = qMax(60, viewport()->width() - left - look.space.paneInset);
    const QFontMetrics body(look.font.body);
    const QFontMetrics small(look.font.small);
    m_placed.clear();
    int y = kRowPad;
    for (const auto& entry : m_entries) {
        Placed place;
        place.top = y;
        place.textHeight = body.boundingRect(0, 0, width, 100'000, kWrap, entry.text).height();
        place.height = place.textHeight + 2 * kRowPad;
        if (!entry.detail.isEmpty())
            place.height += 1 + small.boundingRect(0, 0, width, 100'000, kWrap, entry.detail).height();
        y += place.height;
        m_placed.append(place);
    }
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, qMax(0, y + kRowPad - viewport()->height()));
}

void TimelineList::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(viewport());
    painter.translate(0, -verticalScrollBar()->value());
    const DigitPainter digits(look.font.body);
    const QFontMetrics body(look.font.body);
    const int times = timeWidth();
    const qreal glyphLeft = look.space.paneInset + times + kGap;
    const qreal middle = glyphLeft + look.icon.state / 2.0;
    const qreal textLeft = glyphLeft + look.icon.state + kGap;
    const qreal width = viewport()->width() - textLeft - look.space.paneInset;
    const auto visible = QRect(0, verticalScrollBar()->value(), viewport()->width(), viewport()->height());
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        const auto& entry = m_entries[i];
        const auto& place = m_placed[i];
        if (!visible.intersects(QRect(0, place.top, viewport()->width(), place.height)))
            continue;
        const QRectF firstLine(look.space.paneInset, place.top + kRowPad, times, body.height());
        const auto colour = entry.future ? look.text.tertiary : look.text.primary;
        painter.setPen(look.text.tertiary);
        digits.draw(&painter, firstLine, Qt::AlignRight, format::clockTime(entry.atMs, m_zone, m_nowMs));
        const auto glyphTop = firstLine.center().y() - look.icon.state / 2.0;
        // The thread that joins one glyph to the next.
        if (i + 1 < m_entries.size())
            paint::hairline(
                &painter,
                QRectF(middle, glyphTop + look.icon.state + 2, 1, place.height - look.icon.state - 4),
                Qt::LeftEdge, look.border.standard);
        const QRectF glyph(glyphLeft, glyphTop, look.icon.state, look.icon.state);
        paintStateGlyph(&painter, glyph, entry.glyph.isEmpty() ? u"never"_s : entry.glyph);
        painter.setFont(look.font.body);
        painter.setPen(colour);
        painter.drawText(QRectF(textLeft, place.top + kRowPad, width, place.textHeight), kWrap, entry.text);
        if (entry.detail.isEmpty())
            continue;
        painter.setFont(look.font.small);
        painter.setPen(look.text.tertiary);
        painter.drawText(QRectF(textLeft, place.top + kRowPad + place.textHeight + 1, width, place.height),
                         kWrap, entry.detail);
    }
}

void TimelineList::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void TimelineList::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::StyleChange)
        layOut();
}

void TimelineList::keyPressEvent(QKeyEvent* event)
{
    auto* bar = verticalScrollBar();
    switch (event->key()) {
    case Qt::Key_Home:
        bar->setValue(bar->minimum());
        return;
    case Qt::Key_End:
        bar->setValue(bar->maximum());
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace redrive
