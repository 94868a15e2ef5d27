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
    m_undo = button(tr("Undo"), RedriveSteer::Undo);
    m_begin = button(tr("Begin now"), RedriveSteer::Continue);
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

void OperationRow::present(const RedriveInfo& info, const QString& obstacle, qint64 nowMs)
{
    m_info = info;
    m_held = info.isHeld(nowMs);
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
    const auto state = m_held ? holdText(info, nowMs) : operationState(info);
    m_state->setText(state);
    setAccessibleName(title);
    setAccessibleDescription(operationCount(info) + u". "_s + state);
    showFigures();
    showButtons(obstacle);
    update();
}

// A figure keeps its button, and with it the focus, as long as there is something to count.
void OperationRow::showFigures()
{
    const auto figures = operationFigures(m_info);
    QHash<QString, QPushButton*> before = std::exchange(m_figures, {});
    for (qsizetype i = 0; i < figures.size(); ++i) {
        const auto& figure = figures[i];
        QPushButton* button = before.take(figure.name);
        if (!button)
            button = makeFigure(figure.page, figure.filter);
        if (m_figureRow->indexOf(button) != int(1 + i))
            m_figureRow->insertWidget(int(1 + i), button);
        button->show();
        m_figures.insert(figure.name, button);
        button->setText(figure.text);
        button->setIcon(figure.state.isEmpty() ? QIcon() : stateGlyph(figure.state));
        button->setAccessibleName(figure.text);
    }
    qDeleteAll(before);
}

QPushButton* OperationRow::makeFigure(const QString& page, const QString& filter)
{
    auto* button = makeSmallButton({}, {}, this);
    button->setFlat(true);
    button->setToolTip(format::plainToolTip(tr("Show the rows: %1").arg(filter)));
    connect(button, &QPushButton::clicked, this, [this, page, filter] { Q_EMIT rowsWanted(page, filter); });
    return button;
}

void OperationRow::showButtons(const QString& obstacle)
{
    const bool open = m_info.isOpen();
    const bool paused = m_info.state == RedriveState::Paused;
    const bool heldFocus = m_pause->hasFocus() || m_continue->hasFocus();
    const bool runs = open && !m_held;
    m_undo->setVisible(canBeUndone(m_info) && (m_held || !open)); // Stop is the same of one that runs
    m_begin->setVisible(m_held);
    m_pause->setVisible(runs && !paused);
    m_continue->setVisible(paused);
    if (heldFocus && runs)
        (paused ? m_continue : m_pause)->setFocus(Qt::OtherFocusReason);
    m_stop->setVisible(runs);
    m_slower->setVisible(runs);
    m_faster->setVisible(runs);
    for (auto* button : {m_undo, m_begin, m_pause, m_continue, m_stop, m_slower, m_faster}) {
        button->setEnabled(obstacle.isEmpty());
        button->setToolTip(format::plainToolTip(obstacle));
        button->setAccessibleName(button->text() + u' ' + operationTitle(m_info));
    }
    const auto rate = obstacle.isEmpty() ? rateObstacle(m_info) : obstacle;
    m_faster->setEnabled(rate.isEmpty() && m_info.pace.perSecond > 0);
    m_slower->setEnabled(rate.isEmpty() && m_info.pace.perSecond != RedrivePace::kLowestRate);
    m_faster->setToolTip(format::plainToolTip(rate));
    m_slower->setToolTip(format::plainToolTip(rate));
}

void OperationRow::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    paint::hairline(&painter, rect(), Qt::BottomEdge, look.border.subtle);
    paintIcon(&painter, QRectF(look.space.paneInset, 9, 14, 14), operationIcon(m_info), look.text.secondary);
}

} // namespace redrive
