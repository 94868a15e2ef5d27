#include "ui/dialogs/revoke_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/form_row.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/plain_label.h"

#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace redrive {

namespace {

constexpr int kWidth = 560;

} // namespace

RevokeDialog::RevokeDialog(const QString& endpointId, const QString& secretName, const QStringList& others,
                           const QString& environment, const QString& environmentColour, QWidget* parent)
    : QDialog(parent)
{
    setMinimumWidth(kWidth);
    auto* column = beginDialog(this);
    addDialogTitle(column, this, tr("Revoke %1").arg(cellText(secretName)), environment, environmentColour);
    m_consequence = addSentence(
        column, tr("It signs nothing for %1 from now on: a receiver that knows only this secret refuses what "
                   "it gets. Signed on with: %2. Deliveries signed before keep their signatures.")
                    .arg(cellText(endpointId), cellText(others.join(u", "_s))));
    m_reason = makeReasonField(this);
    addFormRow(column, tr("Reason"))->addWidget(m_reason, 1);
    m_problem = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Strong);
    m_problem->setWordWrap(true);
    m_problem->hide();
    column->addWidget(m_problem);

    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    auto* keep = makeButton(tr("Keep it"), {}, this);
    m_act = makeAccentButton(tr("Revoke now"), u"stop"_s, this);
    foot->addStretch(1);
    foot->addWidget(keep);
    foot->addWidget(m_act);
    column->addLayout(foot);
    connect(keep, &QPushButton::clicked, this, &QDialog::close);
    connect(m_act, &QPushButton::clicked, this, [this, endpointId, secretName] {
        EndpointChange change;
        change.verb = EndpointVerb::RevokeSecret;
        change.id = endpointId;
        change.secretName = secretName;
        change.reason = m_reason->text().trimmed();
        m_act->setEnabled(false);
        Q_EMIT decided(change);
    });
}

QString RevokeDialog::consequence() const
{
    return m_consequence->text();
}

QString RevokeDialog::problem() const
{
    return m_problem->text();
}

void RevokeDialog::answered(const Result<EndpointChanged>& changed)
{
    if (changed) {
        close();
        return;
    }
    m_act->setEnabled(true);
    m_problem->setText(changed.error().text());
    m_problem->show();
    adjustSize();
}

} // namespace redrive
