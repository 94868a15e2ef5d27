#include "ui/shell/status_line.h"

#include "ui/models/format.h"
#include "ui/widgets/digit_painter.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"

#include <QPainter>

namespace redrive {

namespace {

constexpr int kMessageMs = 6000;
constexpr int kGap = 10;

} // namespace

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent)
{
    const auto& look = Look::current();
    setSizeGripEnabled(false);
    setFixedHeight(look.atLeast(look.size.statusBar, look.font.small));
    m_messageEnd.setSingleShot(true);
    m_messageEnd.setInterval(kMessageMs);
    connect(&m_messageEnd, &QTimer::timeout, this, [this] {
        m_message.clear();
        describe();
    });
}

void StatusLine::setStatus(const EngineStatus& status)
{
    m_status = status;
    describe();
}

void StatusLine::setRight(const QString& text, bool locked)
{
    m_right = text;
    m_locked = locked;
    describe();
}

void StatusLine::say(const QString& text)
{
    m_message = format::firstLine(text);
    m_messageEnd.start();
    describe();
}

QString StatusLine::text() const
{
    QStringList parts{m_status.text};
    if (m_status.jobsPerSecond >= 0)
        parts.append(
            tr("%1 jobs/s").arg(format::number(m_status.jobsPerSecond, m_status.jobsPerSecond < 10 ? 1 : 0)));
    if (m_status.viewLagMs >= 0)
        parts.append(tr("View %1 s behind").arg(format::number(double(m_status.viewLagMs) / 1000, 1)));
    const auto& last = m_message.isEmpty() ? m_status.note : m_message;
    if (!last.isEmpty())
        parts.append(last);
    return parts.join(u" \u00B7 "_s);
}

void StatusLine::describe()
{
    setAccessibleName(text());
    update();
}

void StatusLine::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    painter.fillRect(rect(), look.background.window);
    paint::hairline(&painter, rect(), Qt::TopEdge, look.border.standard);
    const DigitPainter digits(look.font.small);
    qreal right = width() - look.space.paneInset;
    if (!m_right.isEmpty()) {
        const auto size = digits.width(m_right);
        painter.setPen(look.text.secondary);
        digits.draw(&painter, QRectF(right - size, 1, size, height() - 1), Qt::AlignLeft, m_right);
        right -= size;
        if (m_locked) {
            right -= 18;
            paintIcon(&painter, QRectF(right, height() / 2.0 - 6, 13, 13), u"ui/lock"_s, look.text.secondary);
        }
        right -= kGap;
    }

    qreal x = look.space.paneInset;
    const auto part = [&](const QString& glyph, const QString& text, bool first, bool tabular) {
        if (text.isEmpty() || x >= right)
            return;
        if (!first) {
            paint::hairline(&painter, QRectF(x + kGap, height() / 2.0 - 6, 1, 13), Qt::LeftEdge,
                            look.border.button);
            x += 2 * kGap;
        }
        if (!glyph.isEmpty()) {
            paintStateGlyph(&painter, QRectF(x, height() / 2.0 - 6.5, 14, 14), glyph);
            x += 14 + look.space.iconToText;
        }
        const QRectF place(x, 1, right - x, height() - 1);
        painter.setPen(look.text.secondary);
        if (tabular)
            digits.draw(&painter, place, Qt::AlignLeft, text);
        else
            paint::text(&painter, place, text, look.font.small, look.text.secondary);
        x += digits.width(text);
    };
    part(m_status.glyph, m_status.text, true, false);
    if (m_status.jobsPerSecond >= 0)
        part({},
             tr("%1 jobs/s").arg(format::number(m_status.jobsPerSecond, m_status.jobsPerSecond < 10 ? 1 : 0)),
             false, true);
    if (m_status.viewLagMs >= 0)
        part({}, tr("View %1 s behind").arg(format::number(double(m_status.viewLagMs) / 1000, 1)), false,
             true);
    if (m_message.isEmpty())
        part(m_status.noteGlyph, m_status.note, false, false);
    else
        part({}, m_message, false, false);
}

} // namespace redrive
