#include "ui/dialogs/endpoint_delete_dialog.h"

#include "core/base/result.h"
#include "ui/dialogs/form_row.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/environment_label.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

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
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kWidth);
    const QString title = tr("Delete %1").arg(cellText(endpoint.id));
    setWindowTitle(environment.isEmpty() ? title : title + u" \u2014 "_s + environment);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(Look::current().space.section);
    auto* head = new QHBoxLayout;
    head->addWidget(new PlainLabel(title, PlainLabel::Step::Title), 1);
    if (!environment.isEmpty())
        head->addWidget(new EnvironmentLabel(environment, environmentColour, this));
    column->addLayout(head);

    const qint64 open = endpoint.waiting + endpoint.held;
    auto* words = new PlainLabel(
        tr("Events go there no more. Its attempts and versions stay to be looked at. Open deliveries: %1.")
            .arg(format::number(open)),
        PlainLabel::Step::Body, Emphasis::Secondary);
    words->setWordWrap(true);
    column->addWidget(words);

    auto* cancel = new QRadioButton(tr("Cancel the open deliveries"), this);
    m_hold = new QRadioButton(tr("Hold them until an endpoint of this name is registered again"), this);
    cancel->setChecked(true);
    auto* choices = new QVBoxLayout;
    choices->addWidget(cancel);
    choices->addWidget(m_hold);
    addFormRow(column, tr("Deliveries"), Qt::AlignTop)->addLayout(choices, 1);
    m_reason = new QLineEdit(this);
    m_reason->setMaxLength(500);
    m_reason->setAccessibleName(tr("Reason"));
    m_reason->setPlaceholderText(tr("Written into the activity"));
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
