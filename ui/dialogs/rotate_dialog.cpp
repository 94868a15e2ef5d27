#include "ui/dialogs/rotate_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/form_row.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/plain_label.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace redrive {

namespace {

constexpr int kWidth = 620;
constexpr int kDaySeconds = 86'400;

} // namespace

RotateDialog::RotateDialog(const EndpointRow& endpoint, QWidget* parent)
    : QDialog(parent), m_endpoint(endpoint)
{
    setMinimumWidth(kWidth);
    auto* column = beginDialog(this);
    addDialogTitle(column, this, tr("New secret for %1").arg(cellText(m_endpoint.id)));
    build(column);
    judge();
}

void RotateDialog::build(QVBoxLayout* column)
{
    m_make = new QRadioButton(tr("Make one, keep it here and show it once"), this);
    auto* known = new QRadioButton(tr("One that is set, by its name"), this);
    m_make->setChecked(true);
    m_name = new QLineEdit(this);
    m_name->setMaxLength(128);
    m_name->setAccessibleName(tr("Name of the secret"));
    m_name->setPlaceholderText(tr("As in the environment or .dev.vars"));
    auto* choices = new QVBoxLayout;
    choices->addWidget(m_make);
    choices->addWidget(known);
    choices->addWidget(m_name);
    addFormRow(column, tr("Signed with"), Qt::AlignTop)->addLayout(choices, 1);

    m_overlap = new QButtonGroup(this);
    auto* row = addFormRow(column, tr("Older secrets"));
    const std::pair<int, QString> overlaps[] = {{0, tr("end at once")},
                                                {3'600, tr("sign 1 hour more")},
                                                {kDaySeconds, tr("1 day more")},
                                                {7 * kDaySeconds, tr("7 days more")}};
    for (const auto& [seconds, text] : overlaps) {
        auto* choice = new QRadioButton(text, this);
        m_overlap->addButton(choice, seconds); // first: else checking it would uncheck its siblings
        choice->setChecked(seconds == kDaySeconds);
        row->addWidget(choice);
    }
    row->addStretch(1);
    addSentence(column, tr("While both sign, each delivery carries both signatures, the newest first: the "
                           "receiver can change over when it likes."));
    m_said = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Strong);
    m_said->setWordWrap(true);
    m_said->setSelectable(true);
    m_said->hide();
    column->addWidget(m_said);

    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    m_copy = makeButton(tr("Copy"), u"copy"_s, this);
    m_copy->hide();
    m_cancel = makeButton(tr("Cancel"), {}, this);
    m_act = makeAccentButton(tr("Rotate"), u"replay"_s, this);
    foot->addWidget(m_copy);
    foot->addStretch(1);
    foot->addWidget(m_cancel);
    foot->addWidget(m_act);
    column->addLayout(foot);
    connect(m_make, &QRadioButton::toggled, this, &RotateDialog::judge);
    connect(m_name, &QLineEdit::textChanged, this, &RotateDialog::judge);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_act, &QPushButton::clicked, this, [this] {
        m_act->setEnabled(false);
        Q_EMIT decided(change());
    });
}

void RotateDialog::judge()
{
    m_name->setEnabled(!m_make->isChecked());
    const bool named = m_make->isChecked() || !m_name->text().trimmed().isEmpty();
    m_act->setEnabled(named);
    m_act->setToolTip(format::plainToolTip(named ? QString() : tr("Which secret?")));
}

EndpointChange RotateDialog::change() const
{
    EndpointChange change;
    change.verb = EndpointVerb::Rotate;
    change.id = m_endpoint.id;
    if (!m_make->isChecked())
        change.secretName = m_name->text().trimmed();
    change.overlapMs = m_overlap->checkedId() * 1'000LL;
    return change;
}

QString RotateDialog::said() const
{
    return m_said->text();
}

void RotateDialog::answered(const Result<EndpointChanged>& changed)
{
    if (changed && changed->secret.isEmpty()) {
        close();
        return;
    }
    m_said->show();
    if (!changed) {
        m_said->setText(changed.error().text());
        m_act->setEnabled(true);
    } else {
        m_said->setText(tr("%1\nKept as %2. Give it to whoever verifies what this endpoint gets.")
                            .arg(changed->secret, changed->secretName));
        m_act->hide();
        m_cancel->setText(tr("Done"));
        m_copy->show();
        connect(m_copy, &QPushButton::clicked, this, [this, secret = changed->secret] {
            QGuiApplication::clipboard()->setText(secret);
            m_copy->setText(tr("Copied"));
        });
    }
    adjustSize();
}

} // namespace redrive
