#include "ui/dialogs/purge_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/models/verb_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>

namespace redrive {

namespace {

constexpr int kWidth = 620;
constexpr int kNumberWidth = 96;

PlainLabel* wrapped(Emphasis emphasis, const QString& text = {})
{
    auto* label = new PlainLabel(text, PlainLabel::Step::Body, emphasis);
    label->setWordWrap(true);
    return label;
}

} // namespace

PurgeDialog::PurgeDialog(EngineBridge& bridge, QString queue, const QString& environment,
                         const QString& environmentColour, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_queue(std::move(queue))
{
    auto* column = beginDialog(this);
    m_title =
        addDialogTitle(column, this, tr("Purge %1").arg(cellText(m_queue)), environment, environmentColour);
    buildBody(column);
    buildFoot(column);
    setMinimumWidth(kWidth);
    judge();
    m_bridge.plan(this, request(), m_asked.guard([this](const Result<ActionPlan>& plan) { showPlan(plan); }));
}

void PurgeDialog::buildBody(QVBoxLayout* column)
{
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(Look::current().space.section);
    form->setLabelAlignment(Qt::AlignRight | Qt::AlignTop);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto addRow = [form](const QString& label, QWidget* field) {
        form->addRow(new PlainLabel(label, PlainLabel::Step::Body, Emphasis::Secondary), field);
    };
    m_plan = wrapped(Emphasis::Primary, tr("The engine is counting\u2026"));
    addRow(tr("Plan"), m_plan);
    addRow(tr("Means"), wrapped(Emphasis::Secondary, wordsOf(ActionVerb::PurgeQueue).consequence));
    m_reason = makeReasonField(this);
    addRow(tr("Reason"), m_reason);
    column->addLayout(form);
}

void PurgeDialog::buildFoot(QVBoxLayout* column)
{
    const auto words = wordsOf(ActionVerb::PurgeQueue);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    m_typeWords = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary);
    m_number = new QLineEdit(this);
    m_number->setFixedWidth(kNumberWidth);
    m_number->setMaxLength(24);
    m_purge = makeAccentButton(words.verb, words.icon, this);
    auto* cancel = makeButton(tr("Cancel"), {}, this);
    foot->addWidget(m_typeWords);
    foot->addWidget(m_number);
    foot->addStretch(1);
    foot->addWidget(cancel);
    foot->addWidget(m_purge);
    column->addLayout(foot);
    connect(m_number, &QLineEdit::textChanged, this, &PurgeDialog::judge);
    connect(cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_purge, &QPushButton::clicked, this, [this] {
        Q_EMIT decided(request());
        close();
    });
}

ActionRequest PurgeDialog::request() const
{
    ActionRequest request;
    request.verb = ActionVerb::PurgeQueue;
    request.scope.queue = m_queue;
    request.scope.cutoff = m_cutoff;
    request.reason = m_reason->text().trimmed();
    return request;
}

void PurgeDialog::showPlan(const Result<ActionPlan>& plan)
{
    if (!plan) {
        m_plan->setText(tr("No plan: %1").arg(plan.error().text()));
        return;
    }
    m_willAct = plan->willAct;
    m_cutoff = plan->cutoff;
    const auto number = format::number(m_willAct);
    QStringList lines{tr("%1 message(s) will be deleted", nullptr, int(m_willAct)).arg(number)};
    for (const auto& [why, count] : std::as_const(plan->skipped))
        lines.append(tr("%1 stay: %2").arg(format::number(qint64(count)), cellText(why)));
    m_plan->setText(lines.join(u'\n'));
    m_number->setFocus();
    judge();
}

void PurgeDialog::judge()
{
    const auto number = format::number(m_willAct);
    QString obstacle;
    if (m_willAct < 0)
        obstacle = tr("The plan is not there yet.");
    else if (m_willAct == 0)
        obstacle = tr("Nothing waits there.");
    else if (typedDigits(m_number->text()) != QString::number(m_willAct))
        obstacle = tr("Type %1 first.").arg(number);
    const bool typed = m_willAct > 0;
    m_typeWords->setVisible(typed);
    m_number->setVisible(typed);
    m_typeWords->setText(tr("Type %1").arg(number));
    m_number->setAccessibleName(tr("Type %1 to allow it").arg(number));
    const auto verb = wordsOf(ActionVerb::PurgeQueue).verb;
    m_purge->setText(typed ? tr("Purge %1 message(s)", nullptr, int(m_willAct)).arg(number) : verb);
    m_purge->setAccessibleName(m_purge->text());
    m_purge->setEnabled(obstacle.isEmpty());
    m_purge->setToolTip(format::plainToolTip(obstacle));
    layout()->activate();
    resize(width(), qMax(height(), layout()->totalHeightForWidth(width())));
}

} // namespace redrive
