#include "ui/widgets/attempts_list.h"

#include "ui/widgets/attempt_row.h"
#include "ui/widgets/fact_grid.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

namespace redrive {

namespace {

constexpr int kOrderRoom = 112; // "Newest first" and the insets beside the legend

} // namespace

AttemptsList::AttemptsList(QWidget* parent) : QScrollArea(parent), m_column(nullptr)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Attempts"));
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    rebuild();
}

void AttemptsList::setAttempts(const QList<AttemptView>& attempts)
{
    if (attempts == m_attempts)
        return;
    const bool sameJob = !m_attempts.isEmpty() && !attempts.isEmpty() &&
                         m_attempts.constLast().startedMs == attempts.constLast().startedMs;
    if (!sameJob) {
        m_open.clear();
        if (!attempts.isEmpty())
            m_open.append(attempts.constFirst().number);
    }
    m_attempts = attempts;
    const int scrolled = sameJob ? verticalScrollBar()->value() : 0;
    rebuild();
    if (scrolled > 0) // the range is known once the new rows are laid out
        QTimer::singleShot(0, this, [this, scrolled] { verticalScrollBar()->setValue(scrolled); });
}

void AttemptsList::setZone(format::Zone zone)
{
    m_zone = zone;
    rebuild();
}

void AttemptsList::setNow(qint64 utcMs)
{
    m_nowMs = utcMs;
}

void AttemptsList::rebuild()
{
    const auto& look = Look::current();
    auto* content = new QWidget;
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    if (m_attempts.isEmpty()) {
        auto* none = new PlainLabel(tr("No attempt yet."), PlainLabel::Step::Body, Emphasis::Secondary);
        none->setContentsMargins(look.space.paneInset, look.space.paneInset, look.space.paneInset, 0);
        m_column->addWidget(none);
    } else {
        auto* head = new QHBoxLayout;
        head->setContentsMargins(look.space.paneInset, 5, look.space.paneInset, 3);
        auto* legend = new PhaseLegend(m_attempts, content);
        // A long legend needs the whole width of the narrowest pane.
        if (legend->sizeHint().width() < look.size.detailWidthMin - kOrderRoom)
            head->addWidget(new PlainLabel(tr("Newest first"), PlainLabel::Step::Small, Emphasis::Tertiary));
        head->addStretch(1);
        head->addWidget(legend);
        m_column->addLayout(head);
    }
    qint64 longest = 0;
    for (const auto& attempt : std::as_const(m_attempts))
        longest = qMax(longest, attempt.totalMs);
    for (const auto& attempt : std::as_const(m_attempts)) {
        auto* row = new AttemptRow(attempt, longest, m_zone, m_nowMs, content);
        auto* facts = new FactGrid(attempt.facts, content);
        const bool open = m_open.contains(attempt.number);
        row->setChecked(open);
        facts->setVisible(open && !attempt.facts.isEmpty());
        m_column->addWidget(row);
        m_column->addWidget(facts);
        connect(facts, &FactGrid::wholeWanted, this,
                [this, number = attempt.number](const FactView& fact) { Q_EMIT wholeWanted(number, fact); });
        connect(row, &AttemptRow::toggled, this, [this, facts, number = attempt.number](bool on) {
            facts->setVisible(on && !facts->isEmpty());
            m_open.removeAll(number);
            if (on)
                m_open.append(number);
        });
    }
    m_column->addStretch(1);
    setWidget(content);
}

} // namespace redrive
