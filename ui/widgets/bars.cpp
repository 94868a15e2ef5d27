#include "ui/widgets/bars.h"

#include "ui/models/format.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/run_label.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>

namespace redrive {

namespace {

constexpr int kGlyphRoom = 22;

QHBoxLayout* barLayout(QWidget* bar)
{
    const auto& look = Look::current();
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(look.space.pageInset + kGlyphRoom, 0, look.space.pageInset, 0);
    row->setSpacing(8);
    return row;
}

} // namespace

NewRowsBar::NewRowsBar(QWidget* parent) : QWidget(parent), m_text(new RunLabel(this))
{
    const auto& look = Look::current();
    auto* row = barLayout(this);
    row->addWidget(m_text, 1);
    auto* merge = makeSmallButton(tr("Merge"), {}, this);
    setKeyCap(merge, u"M"_s);
    auto* follow = makeSmallButton(tr("Follow"), {}, this);
    setKeyCap(follow, u"F"_s);
    follow->setFlat(true);
    row->addWidget(merge);
    row->addWidget(follow);
    connect(merge, &QPushButton::clicked, this, &NewRowsBar::mergeRequested);
    connect(follow, &QPushButton::clicked, this, &NewRowsBar::followRequested);
    setFixedHeight(look.atLeast(look.size.newRowsBar, look.font.body));
    hide();
}

void NewRowsBar::setNewRows(qint64 count, const QString& since, bool more)
{
    if (count > 0)
        m_text->setRuns(
            {{(more ? tr("More than %1 new") : tr("%1 new")).arg(format::number(count)), Emphasis::Strong},
             {u"  "_s + tr("since %1").arg(since), Emphasis::Secondary},
             {u"  \u00B7 "_s + tr("rows keep their place until merged"), Emphasis::Secondary}});
    setVisible(count > 0);
}

void NewRowsBar::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    painter.fillRect(rect(), look.background.accentTint);
    paint::hairline(&painter, rect(), Qt::TopEdge, look.border.standard);
    paintIcon(&painter, QRectF(look.space.pageInset, height() / 2.0 - 7, 14, 14), u"ui/arrow-up"_s,
              look.accent.line);
}

BrokenBar::BrokenBar(QWidget* parent)
    : QWidget(parent), m_cause(new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Primary, this)),
      m_button(makeSmallButton({}, {}, this))
{
    const auto& look = Look::current();
    m_cause->setMinimumWidth(80);
    m_button->hide(); // until it has a text
    auto* row = barLayout(this);
    row->addWidget(m_cause, 1);
    row->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &BrokenBar::buttonPressed);
    setFixedHeight(look.atLeast(look.size.newRowsBar, look.font.body));
    hide();
}

void BrokenBar::showCause(const QString& cause, const QString& button)
{
    m_cause->setText(format::firstLine(cause));
    m_cause->setToolTip(format::plainToolTip(cause));
    m_button->setText(button);
    m_button->setAccessibleName(button);
    m_button->setVisible(!button.isEmpty());
    show();
}

void BrokenBar::clear()
{
    hide();
}

void BrokenBar::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    const auto& dead = look.state(u"dead"_s);
    QPainter painter(this);
    painter.fillRect(rect(), dead.tint);
    paint::hairline(&painter, rect(), Qt::BottomEdge, look.border.standard);
    paintIcon(&painter, QRectF(look.space.pageInset, height() / 2.0 - 7, 14, 14), u"warning"_s, dead.text);
}

EmptyState::EmptyState(const QString& sentence, const QString& term, const QList<QAction*>& actions,
                       bool termBelow, QWidget* parent)
    : QWidget(parent)
{
    const auto& look = Look::current();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(look.space.pageInset, look.space.section, look.space.pageInset,
                               look.space.section);
    column->setSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    column->addLayout(row);
    auto* words = new PlainLabel(sentence, PlainLabel::Step::Body, Emphasis::Secondary, this);
    row->addWidget(words);
    if (!term.isEmpty() && termBelow) {
        auto* lines = new PlainLabel(term, PlainLabel::Step::Mono, Emphasis::Primary, this);
        lines->setWordWrap(true);
        lines->setSelectable(true);
        column->addWidget(lines);
    } else if (!term.isEmpty()) {
        auto* filter = new PlainLabel(format::firstLine(term.left(200)), PlainLabel::Step::Mono,
                                      Emphasis::Primary, this);
        filter->setMinimumWidth(40);
        row->addWidget(filter);
    }
    row->addSpacing(4);
    for (auto* action : actions)
        row->addWidget(makeActionButton(action, true, this));
    row->addStretch(1);
}

} // namespace redrive
