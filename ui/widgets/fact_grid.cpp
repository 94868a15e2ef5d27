#include "ui/widgets/fact_grid.h"

#include "ui/widgets/buttons.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/plain_label.h"

#include <QGridLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace redrive {

namespace {

constexpr int kLabelColumn = 78;
constexpr int kIndent = 18;

} // namespace

FactGrid::FactGrid(const QList<FactView>& facts, QWidget* parent) : QWidget(parent), m_empty(facts.isEmpty())
{
    const auto& look = Look::current();
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(look.space.paneInset + kIndent, 0, look.space.paneInset, 8);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    grid->setColumnMinimumWidth(0, kLabelColumn);
    grid->setColumnStretch(1, 1);
    const int baselineOffset =
        qMax(0, QFontMetrics(look.font.body).ascent() - QFontMetrics(look.font.monoSmall).ascent());
    for (int row = 0; row < facts.size(); ++row) {
        const auto& fact = facts[row];
        auto* label = new PlainLabel(fact.label, PlainLabel::Step::Body, Emphasis::Tertiary, this);
        auto* value = new PlainLabel(fact.value.left(4000),
                                     fact.mono ? PlainLabel::Step::MonoSmall : PlainLabel::Step::Body,
                                     Emphasis::Primary, this);
        if (fact.mono) // on the baseline of its label
            value->setContentsMargins(0, baselineOffset, 0, 0);
        value->setWordWrap(true);
        value->setSelectable(true);
        value->setAccessibleName(fact.label + u": "_s + fact.value);
        grid->addWidget(label, row, 0, Qt::AlignTop | Qt::AlignLeft);
        if (fact.whole.isEmpty()) {
            grid->addWidget(value, row, 1, Qt::AlignTop);
            continue;
        }
        auto* all =
            makeSmallButton(tr("Show all %1 bytes").arg(format::number(qint64(fact.whole.size()))), {}, this);
        connect(all, &QPushButton::clicked, this, [this, fact] { Q_EMIT wholeWanted(fact); });
        auto* column = new QVBoxLayout;
        column->setSpacing(4);
        column->addWidget(value);
        column->addWidget(all, 0, Qt::AlignLeft);
        grid->addLayout(column, row, 1, Qt::AlignTop);
    }
}

void FactGrid::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    painter.fillRect(rect(), look.background.hover);
    paint::hairline(&painter, rect(), Qt::BottomEdge, look.border.standard);
}

} // namespace redrive
