#include "ui/widgets/run_label.h"

#include "ui/models/format.h"
#include "ui/widgets/look.h"
#include "ui/widgets/text_colour.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace redrive {

namespace {

bool belongsToNumber(const QString& text, qsizetype at)
{
    const auto c = text[at];
    if (c.isDigit())
        return true;
    const bool joins = c == QChar(format::kNarrowSpace) || c == u'.' || c == u',';
    return joins && at > 0 && at + 1 < text.size() && text[at - 1].isDigit() && text[at + 1].isDigit();
}

} // namespace

QList<TextRun> strongNumbers(const QString& sentence, Emphasis words)
{
    QList<TextRun> runs;
    qsizetype at = 0;
    while (at < sentence.size()) {
        auto end = at;
        const bool number = belongsToNumber(sentence, at);
        while (end < sentence.size() && belongsToNumber(sentence, end) == number)
            ++end;
        runs.append({sentence.mid(at, end - at), number ? Emphasis::Strong : words});
        at = end;
    }
    return runs;
}

RunLabel::RunLabel(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void RunLabel::setRuns(const QList<TextRun>& runs)
{
    m_runs = runs;
    m_text.clear();
    for (const auto& run : runs)
        m_text += run.text;
    setAccessibleName(m_text);
    updateGeometry();
    update();
}

void RunLabel::setWrapping(bool wrapping)
{
    m_wrapping = wrapping;
    auto policy = sizePolicy();
    policy.setHeightForWidth(wrapping);
    setSizePolicy(policy);
    updateGeometry();
}

void RunLabel::setShift(int pixels)
{
    m_shift = pixels;
    update();
}

qreal RunLabel::layOut(QTextLayout& layout, qreal width) const
{
    const auto& look = Look::current();
    auto text = m_text;
    text.replace(u'\n', QChar::LineSeparator);
    layout.setText(text);
    layout.setFont(look.font.body);
    QTextOption option;
    option.setWrapMode(m_wrapping ? QTextOption::WrapAtWordBoundaryOrAnywhere : QTextOption::NoWrap);
    layout.setTextOption(option);
    QList<QTextLayout::FormatRange> ranges;
    int at = 0;
    for (const auto& run : m_runs) {
        QTextLayout::FormatRange range;
        range.start = at;
        range.length = int(run.text.size());
        range.format.setForeground(isEnabled() ? textColour(run.emphasis) : look.text.disabled);
        range.format.setFontWeight(run.emphasis == Emphasis::Strong ? QFont::DemiBold : QFont::Normal);
        ranges.append(range);
        at += range.length;
    }
    layout.setFormats(ranges);
    constexpr qreal lead = 3;
    qreal y = 0;
    layout.beginLayout();
    for (auto line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (y > 0)
            y += lead;
        line.setPosition({0, y});
        y += std::ceil(line.height());
        if (!m_wrapping)
            break;
    }
    layout.endLayout();
    return y;
}

QSize RunLabel::sizeHint() const
{
    QTextLayout layout;
    constexpr qreal unbounded = 100'000;
    const auto height = layOut(layout, m_wrapping ? 320 : unbounded);
    return {int(std::ceil(layout.maximumWidth())), int(height)};
}

QSize RunLabel::minimumSizeHint() const
{
    return {m_wrapping ? 80 : 24, QFontMetrics(Look::current().font.body).height()};
}

int RunLabel::heightForWidth(int width) const
{
    QTextLayout layout;
    return int(layOut(layout, width));
}

void RunLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QTextLayout layout;
    const auto height = layOut(layout, m_wrapping ? width() : qMax(width(), 100'000));
    layout.draw(&painter, QPointF(0, m_wrapping ? 0 : std::floor((this->height() - height) / 2) + m_shift));
}

void RunLabel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange)
        updateGeometry();
    QWidget::changeEvent(event);
}

} // namespace redrive
