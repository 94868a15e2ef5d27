#include "ui/pages/operation_row.h"

#include "ui/models/format.h"
#include "ui/models/operation_words.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/progress_bar.h"

#include <QHBoxLayout>
#include <QPainter>

namespace redrive {

namespace {

constexpr int kIconRoom = 20;

} // namespace

OperationRow::OperationRow(QWidget* parent) : QWidget(parent)
{
    const auto& look = Look::current();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(look.space.paneInset + kIconRoom, 5, look.space.paneInset, 6);
    column->setSpacing(2);

    auto* first = new QHBoxLayout;
    first->setSpacing(10);
    m_title = new PlainLabel({}, PlainLabel::Step::Strong, Emphasis::Primary, this);
    m_scope = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary, this);
    m_scope->setMinimumWidth(40);
    m_scope->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_count = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Primary, this);
    m_bar = new ProgressBar(this);
    m_pace = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary, this);
    first->addWidget(m_title);
    first->addWidget(m_scope, 1);
    first->addWidget(m_count);
    first->addWidget(m_bar);
    first->addWidget(m_pace);
    const auto button = [&](const QString& text, RedriveSteer steer) {
        auto* made = makeSmallButton(text, {}, this);
        first->addWidget(made);
        connect(made, &QPushButton::clicked, this, [this, steer] { Q_EMIT steered(steer, 0); });
        return made;
    };
    const auto rate = [&](const QString& text, double (*change)(double)) {
        auto* made = makeSmallButton(text, {}, this);
        first->addWidget(made);
        connect(made, &QPushButton::clicked, this,
                [this, change] { Q_EMIT steered(RedriveSteer::Rate, change(m_info.pace.perSecond)); });
        return made;
    };
    m_slower = rate(tr("Slower"), slowerRate);
    m_faster = rate(tr("Faster"), fasterRate);
    m_pause = button(tr("Pause"), RedriveSteer::Pause);
    m_continue = button(tr("Continue"), RedriveSteer::Continue);
    m_stop = button(tr("Stop"), RedriveSteer::Stop);
    column->addLayout(first);

    m_figureRow = new QHBoxLayout;
    m_figureRow->setSpacing(4);
    m_state = new PlainLabel({}, PlainLabel::Step::Small, Emphasis::Secondary, this);
    m_state->setMinimumWidth(40);
    m_figureRow->addWidget(m_state);
    m_figureRow->addStretch(1);
    column->addLayout(m_figureRow);
}

void OperationRow::present(const RedriveInfo& info, const QString& obstacle)
{
    const bool figuresChanged = m_info.no != info.no || m_info.state != info.state ||
                                operationFigures(m_info).size() != operationFigures(info).size();
    m_info = info;
    const auto title = operationTitle(info);
    m_title->setText(title);
    QStringList scope{cellText(info.scope)};
    if (!info.reason.isEmpty())
        scope.append(cellText(info.reason));
    m_scope->setText(scope.join(u" \u00B7 "_s));
    m_scope->setToolTip(format::plainToolTip(
        tr("%1 by %2, from the %3")
            .arg(scope.join(u" \u00B7 "_s), cellText(info.actor), cellText(info.source))));
    m_count->setText(operationCount(info));
    m_bar->setProgress(info.done, info.ledger.failed(), info.total);
    m_pace->setText(operationPace(info));
    m_pace->setVisible(!m_pace->text().isEmpty());
    m_state->setText(operationState(info));
    setAccessibleName(title);
    setAccessibleDescription(operationCount(info) + u". "_s + operationState(info));
    if (figuresChanged) {
        qDeleteAll(m_figures);
        m_figures.clear();
    }
    showFigures();
    showButtons(obstacle);
    update();
}

void OperationRow::showFigures()
{
    const auto figures = operationFigures(m_info);
    for (qsizetype i = 0; i < figures.size(); ++i) {
        if (i == m_figures.size()) {
            auto* button = makeSmallButton({}, {}, this);
            button->setFlat(true);
            m_figureRow->insertWidget(int(1 + i), button);
            connect(button, &QPushButton::clicked, this, [this, i] {
                const auto now = operationFigures(m_info);
                if (i < now.size())
                    Q_EMIT rowsWanted(now[i].page, now[i].filter);
            });
            m_figures.append(button);
        }
        m_figures[i]->setText(figures[i].text);
        m_figures[i]->setIcon(figures[i].state.isEmpty() ? QIcon() : stateGlyph(figures[i].state));
        m_figures[i]->setAccessibleName(figures[i].text);
        m_figures[i]->setToolTip(format::plainToolTip(tr("Show the rows: %1").arg(figures[i].filter)));
    }
}

void OperationRow::showButtons(const QString& obstacle)
{
    const bool open = m_info.isOpen();
    const bool paused = m_info.state == RedriveState::Paused;
    m_pause->setVisible(open && !paused);
    m_continue->setVisible(paused);
    m_stop->setVisible(open);
    m_slower->setVisible(open);
    m_faster->setVisible(open);
    for (auto* button : {m_pause, m_continue, m_stop, m_slower, m_faster}) {
        button->setEnabled(obstacle.isEmpty());
        button->setToolTip(format::plainToolTip(obstacle));
        button->setAccessibleName(button->text() + u' ' + operationTitle(m_info));
    }
    m_faster->setEnabled(obstacle.isEmpty() && m_info.pace.perSecond > 0);
    m_slower->setEnabled(obstacle.isEmpty() && m_info.pace.perSecond != RedrivePace::kLowestRate);
}

void OperationRow::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    paint::hairline(&painter, rect(), Qt::BottomEdge, look.border.subtle);
    paintIcon(&painter, QRectF(look.space.paneInset, 9, 14, 14), operationIcon(m_info), look.text.secondary);
}

} // namespace redrive
