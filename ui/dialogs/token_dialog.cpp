#include "ui/dialogs/token_dialog.h"

#include "core/base/result.h"
#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/form_row.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/plain_label.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QRadioButton>

namespace redrive {

namespace {

constexpr int kWidth = 560;
constexpr int kMostName = 64;

QString titleOf(TokenVerb verb, const QString& name)
{
    switch (verb) {
    case TokenVerb::Create:
        return TokenDialog::tr("New token");
    case TokenVerb::Rotate:
        return TokenDialog::tr("Rotate %1").arg(cellText(name));
    case TokenVerb::Revoke:
    case TokenVerb::Show:
        break;
    }
    return TokenDialog::tr("Revoke %1").arg(cellText(name));
}

} // namespace

TokenDialog::TokenDialog(TokenVerb verb, const QString& name, QWidget* parent)
    : QDialog(parent), m_verb(verb), m_tokenName(name)
{
    setMinimumWidth(kWidth);
    auto* column = beginDialog(this);
    addDialogTitle(column, this, titleOf(verb, name));
    buildFields(column);
    buildFoot(column);
    judge();
}

void TokenDialog::buildFields(QVBoxLayout* column)
{
    if (m_verb == TokenVerb::Create) {
        m_name = new QLineEdit(this);
        m_name->setMaxLength(kMostName);
        m_name->setAccessibleName(tr("Name"));
        m_name->setPlaceholderText(tr("Who uses it: shop, billing, ci"));
        addFormRow(column, tr("Name"))->addWidget(m_name, 1);
        m_rate = new QLineEdit(this);
        m_rate->setMaxLength(12);
        m_rate->setAccessibleName(tr("Requests per second"));
        m_rate->setPlaceholderText(tr("Requests a second; or as the configuration says"));
        addFormRow(column, tr("Rate"))->addWidget(m_rate, 1);
        m_forIngest = new QCheckBox(tr("Opens /ingest alone"), this);
        addFormRow(column, tr("Events"))->addWidget(m_forIngest, 1);
        addSentence(column,
                    tr("Once there is a token that opens everything, sending jobs, reading them and the "
                       "metrics need one."));
        connect(m_name, &QLineEdit::textChanged, this, &TokenDialog::judge);
        connect(m_rate, &QLineEdit::textChanged, this, &TokenDialog::judge);
        return;
    }
    if (m_verb == TokenVerb::Revoke) {
        addSentence(column,
                    tr("Requests with it are answered 401 from now on, in every engine on this database. "
                       "This cannot be taken back."));
        return;
    }
    auto* row = addFormRow(column, tr("Older secret"));
    m_overlap = new QButtonGroup(this);
    const std::pair<int, QString> choices[] = {{0, tr("ends at once")},
                                               {3'600, tr("1 hour more")},
                                               {86'400, tr("1 day more")},
                                               {604'800, tr("7 days more")}};
    for (const auto& [seconds, text] : choices) {
        auto* choice = new QRadioButton(text, this);
        choice->setChecked(seconds * 1000LL == kDefaultOverlapMs);
        m_overlap->addButton(choice, seconds);
        row->addWidget(choice);
    }
    row->addStretch(1);
    addSentence(column,
                tr("A new secret is made, and shown once. Clients have as long to change over as the older "
                   "one is accepted."));
}

void TokenDialog::buildFoot(QVBoxLayout* column)
{
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    foot->addStretch(1);
    auto* cancel = makeButton(tr("Cancel"), {}, this);
    m_act =
        makeAccentButton(m_verb == TokenVerb::Create ? tr("Create") : titleOf(m_verb, m_tokenName), {}, this);
    foot->addWidget(cancel);
    foot->addWidget(m_act);
    column->addLayout(foot);
    connect(cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_act, &QPushButton::clicked, this, [this] {
        Q_EMIT decided(change());
        close();
    });
}

void TokenDialog::judge()
{
    QString obstacle;
    if (m_name && m_name->text().trimmed().isEmpty())
        obstacle = tr("The token needs a name.");
    if (m_rate && !m_rate->text().trimmed().isEmpty()) {
        bool ok = false;
        const double rate = m_rate->text().trimmed().toDouble(&ok);
        if (!ok || !(rate > 0 && rate <= kHighestRate))
            obstacle = tr("The rate must be a number above 0.");
    }
    m_act->setEnabled(obstacle.isEmpty());
    m_act->setToolTip(format::plainToolTip(obstacle));
}

TokenChange TokenDialog::change() const
{
    TokenChange change;
    change.verb = m_verb;
    change.name = m_name ? m_name->text().trimmed() : m_tokenName;
    if (m_rate && !m_rate->text().trimmed().isEmpty())
        change.ratePerSecond = m_rate->text().trimmed().toDouble();
    if (m_forIngest && m_forIngest->isChecked())
        change.opens = TokenScope::Ingest;
    if (m_overlap)
        change.overlapMs = m_overlap->checkedId() * 1000LL;
    return change;
}

SecretDialog::SecretDialog(const TokenChanged& changed, qint64 nowMs, bool kept, QWidget* parent)
    : QDialog(parent)
{
    setMinimumWidth(kWidth);
    auto* column = beginDialog(this);
    addDialogTitle(column, this, tr("Token %1").arg(cellText(changed.name)));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* secret = new PlainLabel(changed.secret, PlainLabel::Step::Mono);
    secret->setSelectable(true);
    secret->setAccessibleName(tr("The secret"));
    auto* copy = makeButton(tr("Copy"), u"copy"_s, this);
    row->addWidget(secret, 1);
    row->addWidget(copy);
    column->addLayout(row);
    addSentence(column, kept ? tr("It stands in a file of the data folder until it is rotated.")
                             : tr("This is shown once: only its hash is kept."));
    addSentence(column, tr("Clients send it as \u201CAuthorization: Bearer \u2026\u201D."));
    if (changed.oldSecretUntilMs && *changed.oldSecretUntilMs > nowMs)
        addSentence(column, tr("The older secret is accepted for %1 more.")
                                .arg(format::duration(*changed.oldSecretUntilMs - nowMs)));
    auto* foot = new QHBoxLayout;
    foot->addStretch(1);
    auto* done = makeAccentButton(tr("Done"), {}, this);
    foot->addWidget(done);
    column->addLayout(foot);
    connect(copy, &QPushButton::clicked, this, [text = changed.secret, copy] {
        QGuiApplication::clipboard()->setText(text);
        copy->setText(tr("Copied"));
    });
    connect(done, &QPushButton::clicked, this, &QDialog::close);
}

} // namespace redrive
