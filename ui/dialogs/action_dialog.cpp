#include "ui/dialogs/action_dialog.h"

#include "ui/dialogs/delay_field.h"
#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/form_row.h"
#include "ui/dialogs/pace_fields.h"
#include "ui/dialogs/since_field.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/models/verb_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/plain_label.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QRadioButton>

namespace redrive {

namespace {

constexpr int kWidth = 700;
constexpr int kNumberWidth = 96;
constexpr int kFailedOnly = 0; // ids of the targets
constexpr int kDeliveredToo = 1;

} // namespace

ActionDialog::ActionDialog(EngineBridge& bridge, ActionQuestion question, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_question(std::move(question))
{
    auto* column = beginDialog(this);
    m_title = addDialogTitle(column, this, wordsOf(m_question.base.verb).verb, m_question.environment,
                             m_question.environmentColour);
    if (m_question.base.verb == ActionVerb::ReplayMissing) {
        buildMissed(column);
    } else {
        buildScope(column);
        buildTarget(column);
    }
    if (m_question.base.verb == ActionVerb::Postpone) {
        m_delay = new DelayField(this);
        addFormRow(column, tr("Until"))->addWidget(m_delay, 1);
        connect(m_delay, &DelayField::changed, this, &ActionDialog::askPlan);
    }
    buildPlan(column);
    if (takesPace(m_question.base.verb))
        m_pace = new PaceFields(column, this);
    buildReason(column);
    buildFoot(column);
    setMinimumWidth(kWidth);
    m_reason->setFocus();
    askPlan();
}

void ActionDialog::buildScope(QVBoxLayout* column)
{
    auto* row = addFormRow(column, tr("Scope"));
    m_scopes = new QButtonGroup(this);
    const auto add = [&](ActionQuestion::Scope scope, const QString& text, qint64 count) {
        auto* choice = new QRadioButton(text, this);
        choice->setEnabled(count > 0);
        choice->setChecked(scope == m_question.first);
        m_scopes->addButton(choice, int(scope));
        row->addWidget(choice);
    };
    const qint64 selected = m_question.allSelected ? m_question.matching : m_question.selected.size();
    const QString words = tr("%1 selected").arg(format::number(selected));
    const qint64 delivered = m_question.base.verb == ActionVerb::Replay ? m_question.deliveredChosen : 0;
    add(ActionQuestion::Scope::Selected,
        delivered > 0 ? tr("%1, %2 of them delivered").arg(words, format::number(delivered)) : words,
        selected);
    add(ActionQuestion::Scope::Loaded, tr("%1 loaded").arg(format::number(qint64(m_question.loaded.size()))),
        m_question.loaded.size());
    add(ActionQuestion::Scope::Matching, tr("all %1 matching").arg(format::number(m_question.matching)),
        m_question.matching);
    row->addStretch(1);
    connect(m_scopes, &QButtonGroup::idClicked, this, [this] {
        followScope();
        askPlan();
    });

    if (!m_question.base.scope.filter.isEmpty()) {
        auto* filter = addFormRow(column, tr("Filter"));
        filter->addWidget(new PlainLabel(cellText(m_question.base.scope.filter), PlainLabel::Step::Mono), 1);
    }
}

void ActionDialog::buildMissed(QVBoxLayout* column)
{
    if (m_question.base.scope.endpointId.isEmpty()) {
        const auto count = format::number(qint64(m_question.selected.size()));
        addFormRow(column, tr("Scope"))
            ->addWidget(new PlainLabel(tr("%1 selected").arg(count), PlainLabel::Step::Body), 1);
        return;
    }
    addFormRow(column, tr("Endpoint"))
        ->addWidget(new PlainLabel(cellText(m_question.base.scope.endpointId), PlainLabel::Step::Mono), 1);
    m_since = new SinceField(m_bridge.nowMs(), this);
    addFormRow(column, tr("Since"))->addWidget(m_since, 1);
    connect(m_since, &SinceField::changed, this, &ActionDialog::askPlan);
}

void ActionDialog::buildTarget(QVBoxLayout* column)
{
    if (m_question.base.verb != ActionVerb::Replay)
        return;
    auto* row = addFormRow(column, tr("Target"));
    m_targets = new QButtonGroup(this);
    const auto add = [&](int id, const QString& text) {
        auto* choice = new QRadioButton(text, this);
        m_targets->addButton(choice, id);
        row->addWidget(choice);
    };
    add(kFailedOnly, tr("what is not delivered"));
    add(kDeliveredToo, tr("delivered ones too"));
    row->addStretch(1);
    followScope();
    connect(m_targets, &QButtonGroup::idClicked, this, &ActionDialog::askPlan);
}

// Delivered ones are meant only where they were chosen themselves.
void ActionDialog::followScope()
{
    if (!m_targets)
        return;
    const bool named =
        m_question.deliveredChosen > 0 && m_scopes->checkedId() == int(ActionQuestion::Scope::Selected);
    m_targets->button(named ? kDeliveredToo : kFailedOnly)->setChecked(true);
}

void ActionDialog::buildPlan(QVBoxLayout* column)
{
    auto* row = addFormRow(column, tr("Plan"), Qt::AlignTop);
    m_plan = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Primary);
    m_plan->setWordWrap(true);
    row->addWidget(m_plan, 1);

    auto* means = addFormRow(column, tr("Means"), Qt::AlignTop);
    auto* words = new PlainLabel(wordsOf(m_question.base.verb).consequence, PlainLabel::Step::Body,
                                 Emphasis::Secondary);
    words->setWordWrap(true);
    means->addWidget(words, 1);
}

void ActionDialog::buildReason(QVBoxLayout* column)
{
    auto* reason = addFormRow(column, tr("Reason"));
    m_reason = makeReasonField(this);
    reason->addWidget(m_reason, 1);
}

void ActionDialog::buildFoot(QVBoxLayout* column)
{
    const auto words = wordsOf(m_question.base.verb);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    m_typeWords = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary);
    m_typeWhy = new PlainLabel(tr("to allow more than %1").arg(format::number(qint64(kTypeAbove))),
                               PlainLabel::Step::Body, Emphasis::Secondary);
    m_number = new QLineEdit(this);
    m_number->setFixedWidth(kNumberWidth);
    m_number->setMaxLength(24);
    m_act = makeAccentButton(words.verb, words.icon, this);
    auto* cancel = makeButton(tr("Cancel"), {}, this);
    foot->addWidget(m_typeWords);
    foot->addWidget(m_number);
    foot->addWidget(m_typeWhy);
    foot->addStretch(1);
    foot->addWidget(cancel);
    foot->addWidget(m_act);
    column->addLayout(foot);
    connect(m_number, &QLineEdit::textChanged, this, &ActionDialog::judge);
    connect(cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_act, &QPushButton::clicked, this, [this] {
        Q_EMIT decided(request());
        close();
    });
}

void ActionDialog::chooseScope(ActionQuestion::Scope scope)
{
    m_scopes->button(int(scope))->setChecked(true);
    followScope();
    askPlan();
}

void ActionDialog::chooseDelivered(bool too)
{
    m_targets->button(too ? kDeliveredToo : kFailedOnly)->setChecked(true);
    askPlan();
}

ActionRequest ActionDialog::request() const
{
    auto request = m_question.base;
    request.reason = m_reason->text().trimmed();
    if (m_targets)
        request.scope.deliveredToo = m_targets->checkedId() == kDeliveredToo;
    if (m_pace)
        request.pace = m_pace->pace();
    if (m_delay)
        request.delayMs = m_delay->delayMs();
    if (m_since) {
        request.scope.sinceMs = m_since->sinceMs();
        return request;
    }
    if (!m_scopes) {
        request.scope.ids = m_question.selected;
        return request;
    }
    switch (ActionQuestion::Scope(m_scopes->checkedId())) {
    case ActionQuestion::Scope::Selected:
        if (m_question.allSelected) {
            request.scope.matching = true;
            break;
        }
        request.scope.ids = m_question.selected;
        request.scope.filter.clear();
        break;
    case ActionQuestion::Scope::Loaded:
        request.scope.ids = m_question.loaded;
        request.scope.filter.clear();
        break;
    case ActionQuestion::Scope::Matching:
        request.scope.matching = true;
        break;
    }
    return request;
}

void ActionDialog::askPlan()
{
    m_willAct = -1;
    m_plan->setText(tr("The engine is counting\u2026"));
    judge();
    m_bridge.plan(this, request(),
                  m_asked.guard([this](Result<ActionPlan> plan) { showPlan(std::move(plan)); }));
}

void ActionDialog::showPlan(Result<ActionPlan> plan)
{
    if (!plan) {
        m_plan->setText(tr("No plan: %1").arg(plan.error().text()));
        return;
    }
    m_willAct = plan->willAct;
    QStringList lines{itemsText(m_question.base.scope.list, m_willAct) + u' ' +
                      wordsOf(m_question.base.verb).will};
    for (const auto& [why, count] : std::as_const(plan->skipped))
        lines.append(tr("%1 skipped: %2").arg(format::number(qint64(count)), cellText(why)));
    m_plan->setText(lines.join(u'\n'));
    judge();
}

void ActionDialog::judge()
{
    const auto verb = m_question.base.verb;
    const bool typed = m_willAct > kTypeAbove;
    m_typeWords->setVisible(typed);
    m_number->setVisible(typed);
    m_typeWhy->setVisible(typed);
    const auto text =
        m_willAct > 0 ? verbWithCount(verb, m_question.base.scope.list, m_willAct) : wordsOf(verb).verb;
    m_title->setText(text);
    m_act->setText(text);
    m_act->setAccessibleName(text);
    QString obstacle;
    if (m_willAct < 0)
        obstacle = tr("The plan is not there yet.");
    else if (m_willAct == 0)
        obstacle = tr("Nothing would change.");
    if (typed) {
        const auto number = format::number(qint64(m_willAct));
        m_typeWords->setText(tr("Type %1").arg(number));
        m_number->setAccessibleName(tr("Type %1 to allow it").arg(number));
        if (typedDigits(m_number->text()) != QString::number(m_willAct))
            obstacle = tr("Type %1 first.").arg(number);
    }
    m_act->setEnabled(obstacle.isEmpty());
    m_act->setToolTip(format::plainToolTip(obstacle));
    if (layout())
        layout()->activate();
    resize(width(), qMax(height(), layout() ? layout()->totalHeightForWidth(width()) : 0));
}

} // namespace redrive
