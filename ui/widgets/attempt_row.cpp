#include "ui/widgets/attempt_row.h"

#include "ui/widgets/digit_painter.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(phases)
};

constexpr int kSwatch = 8;
constexpr int kLegendGap = 12;
constexpr int kBarHeight = 8;

} // namespace

QColor phaseColour(PhaseKind kind, bool failed)
{
    const auto& chart = Look::current().chart;
    if (failed)
        return chart.failedPhase;
    switch (kind) {
    case PhaseKind::Dns:
        return chart.dns;
    case PhaseKind::Connect:
        return chart.connect;
    case PhaseKind::Tls:
        return chart.tls;
    case PhaseKind::FirstByte:
        return chart.firstByte;
    case PhaseKind::Transfer:
        break;
    }
    return chart.transfer;
}

QString phaseWord(PhaseKind kind)
{
    switch (kind) {
    case PhaseKind::Dns:
        return Words::tr("DNS");
    case PhaseKind::Connect:
        return Words::tr("connect");
    case PhaseKind::Tls:
        return Words::tr("TLS");
    case PhaseKind::FirstByte:
        return Words::tr("first byte");
    case PhaseKind::Transfer:
        break;
    }
    return Words::tr("transfer");
}

AttemptRow::AttemptRow(const AttemptView& attempt, qint64 longestMs, format::Zone zone, qint64 nowMs,
                       QWidget* parent)
    : QAbstractButton(parent), m_attempt(attempt), m_longestMs(longestMs),
      m_time(format::clockTime(attempt.startedMs, zone, nowMs))
{
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setAccessibleName(tr("Attempt %1, %2, %3").arg(format::number(attempt.number), m_time, attempt.outcome));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize AttemptRow::sizeHint() const
{
    const auto& look = Look::current();
    return {200, look.atLeast(look.size.navRow, look.font.body)};
}

void AttemptRow::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    const QRectF row = rect();
    painter.fillRect(row, isChecked() || underMouse() ? look.background.hover : look.background.base);
    const DigitPainter digits(look.font.body);
    qreal x = look.space.paneInset;
    paintIcon(&painter, QRectF(x - 2, row.center().y() - 7, 14, 14),
              isChecked() ? u"ui/chevron-down"_s : u"ui/chevron-right"_s, look.text.tertiary);
    x += 18;
    const auto number = format::number(m_attempt.number);
    painter.setPen(look.text.secondary);
    digits.draw(&painter, QRectF(x, row.top(), 40, row.height()), Qt::AlignLeft, number);
    x += qMax<qreal>(digits.width(u"0"), digits.width(number)) + 10;
    painter.setPen(look.text.primary);
    digits.draw(&painter, QRectF(x, row.top(), 200, row.height()), Qt::AlignLeft, m_time);
    x += digits.width(m_time) + 8;
    paintStateGlyph(&painter,
                    QRectF(x, row.center().y() - look.icon.state / 2.0, look.icon.state, look.icon.state),
                    m_attempt.glyph);
    x += look.icon.state + 8;

    const auto total = m_attempt.totalMs < 0 ? format::unknown() : format::elapsed(m_attempt.totalMs);
    const auto totalWidth = qMax(digits.width(total), digits.width(u"000 ms"));
    const auto right = row.right() - look.space.paneInset;
    painter.setPen(look.text.secondary);
    digits.draw(&painter, QRectF(right - totalWidth, row.top(), totalWidth, row.height()), Qt::AlignRight,
                total);
    const auto barWidth = qBound(60.0, row.width() * 0.28, 160.0);
    const QRectF bar(right - totalWidth - 10 - barWidth, row.center().y() - kBarHeight / 2.0, barWidth,
                     kBarHeight);
    paint::text(&painter, QRectF(x, row.top(), bar.left() - 8 - x, row.height()),
                format::firstLine(m_attempt.outcome), look.font.body, look.text.primary);
    paintBar(&painter, bar);
    paint::hairline(&painter, row, Qt::BottomEdge, isChecked() ? look.background.hover : look.border.subtle);
    if (hasFocus())
        paint::focusRing(&painter, row.adjusted(1, 1, -1, -1), look.radius.control);
}

void AttemptRow::paintBar(QPainter* painter, const QRectF& rect) const
{
    const auto& look = Look::current();
    if (m_longestMs <= 0)
        return;
    const auto scale = rect.width() / double(m_longestMs);
    if (m_attempt.phases.isEmpty()) {
        if (m_attempt.totalMs >= 0)
            painter->fillRect(
                QRectF(rect.left(), rect.top(), qMax(1.0, double(m_attempt.totalMs) * scale), rect.height()),
                look.border.control);
        return;
    }
    qreal x = rect.left();
    for (const auto& phase : m_attempt.phases) {
        const auto width = qMin(qMax(1.0, phase.ms * scale), rect.right() - x);
        if (width <= 0)
            break;
        painter->fillRect(QRectF(x, rect.top(), width - (width > 2 ? 1 : 0), rect.height()),
                          phaseColour(phase.kind, phase.failed));
        x += width;
    }
}

PhaseLegend::PhaseLegend(const QList<AttemptView>& attempts, QWidget* parent) : QWidget(parent)
{
    for (const auto& attempt : attempts) {
        for (const auto& phase : attempt.phases) {
            const auto same = [&phase](const PhaseView& known) {
                return known.kind == phase.kind && known.failed == phase.failed;
            };
            if (std::none_of(m_phases.begin(), m_phases.end(), same))
                m_phases.append(phase);
        }
    }
    std::sort(m_phases.begin(), m_phases.end(), [](const PhaseView& a, const PhaseView& b) {
        return std::pair(a.kind, a.failed) < std::pair(b.kind, b.failed);
    });
}

QList<QPair<QColor, QString>> PhaseLegend::entries() const
{
    QList<QPair<QColor, QString>> result;
    for (const auto& phase : m_phases)
        result.append({phaseColour(phase.kind, phase.failed),
                       phase.failed ? tr("%1, failed").arg(phaseWord(phase.kind)) : phaseWord(phase.kind)});
    return result;
}

QSize PhaseLegend::sizeHint() const
{
    const QFontMetrics metrics(Look::current().font.small);
    int width = 0;
    for (const auto& [colour, word] : entries())
        width += kSwatch + 5 + metrics.horizontalAdvance(word) + kLegendGap;
    return {qMax(0, width - kLegendGap), metrics.height() + 4};
}

void PhaseLegend::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    const QFontMetricsF metrics(look.font.small);
    qreal x = 0;
    for (const auto& [colour, word] : entries()) {
        paint::roundedBox(&painter, QRectF(x, height() / 2.0 - kSwatch / 2.0, kSwatch, kSwatch), 1, colour,
                          {});
        x += kSwatch + 5;
        const auto width = metrics.horizontalAdvance(word) + 2;
        paint::text(&painter, QRectF(x, 0, width, height()), word, look.font.small, look.text.secondary);
        x += width - 2 + kLegendGap;
    }
}

} // namespace redrive
