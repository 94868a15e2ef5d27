#include "ui/dialogs/endpoint_delete_dialog.h"

#include "core/base/result.h"
#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/form_row.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"

#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace redrive {

namespace {

constexpr int kWidth = 560;

} // namespace

EndpointDeleteDialog::EndpointDeleteDialog(const EndpointRow& endpoint, const QString& environment,
                                           const QString& environmentColour, QWidget* parent)
    : QDialog(parent)
{
    setMinimumWidth(kWidth);
    auto* column = beginDialog(this);
    addDialogTitle(column, this, tr("Delete %1").arg(cellText(endpoint.id)), environment, environmentColour);
    const qint64 open = endpoint.waiting + endpoint.held;
    addSentence(column, tr("Events go there no more. Its attempts and versions stay to be looked at. Open "
                           "deliveries: %1.")
                            .arg(format::number(open)));

    auto* cancel = new QRadioButton(tr("Cancel the open deliveries"), this);
    m_hold = new QRadioButton(tr("Hold them until an endpoint of this name is registered again"), this);
    cancel->setChecked(true);
    auto* choices = new QVBoxLayout;
    choices->addWidget(cancel);
    choices->addWidget(m_hold);
    addFormRow(column, tr("Deliveries"), Qt::AlignTop)->addLayout(choices, 1);
    m_reason = makeReasonField(this);
    addFormRow(column, tr("Reason"))->addWidget(m_reason, 1);

    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    auto* keep = makeButton(tr("Keep it"), {}, this);
    m_delete = makeAccentButton(tr("Delete %1").arg(cellText(endpoint.id)), u"discard"_s, this);
    foot->addStretch(1);
    foot->addWidget(keep);
    foot->addWidget(m_delete);
    column->addLayout(foot);
    connect(keep, &QPushButton::clicked, this, &QDialog::close);
    connect(m_delete, &QPushButton::clicked, this, [this, id = endpoint.id] {
        EndpointChange change;
        change.verb = EndpointVerb::Delete;
        change.id = id;
        change.keepOpen = m_hold->isChecked();
        change.reason = m_reason->text().trimmed();
        Q_EMIT decided(change);
        close();
    });
}

} // namespace redrive
