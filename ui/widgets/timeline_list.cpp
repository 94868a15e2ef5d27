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
    if (entries == m_entries)
        return;
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
    m_placed.clear();
    int y = kRowPad;
    for (const auto& entry : m_entries) {
        Placed place;
        place.top = y;
        place.textHeight =
            int(paint::wrappedText(nullptr, QRectF(0, 0, width, 0), entry.text, look.font.body, {}));
        place.height = place.textHeight + 2 * kRowPad;
        if (!entry.detail.isEmpty())
            place.height += 1 + int(paint::wrappedText(nullptr, QRectF(0, 0, width, 0), entry.detail,
                                                       look.font.small, {}));
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
        const QRectF words(textLeft, place.top + kRowPad, width, place.textHeight);
        paint::wrappedText(&painter, words, entry.text, look.font.body, colour);
        if (!entry.detail.isEmpty())
            paint::wrappedText(&painter, words.translated(0, place.textHeight + 1), entry.detail,
                               look.font.small, look.text.tertiary);
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
