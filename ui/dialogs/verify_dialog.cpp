#include "ui/dialogs/verify_dialog.h"

#include "core/base/result.h"
#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/form_row.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QSignalBlocker>

namespace redrive {

namespace {

constexpr int kMostSecret = 10'000;
constexpr int kTyped = -2; // data of the combo box's entries; names are texts
constexpr int kAll = -1;

} // namespace

VerifyDialog::VerifyDialog(Verifier verifier, QWidget* parent)
    : QDialog(parent), m_verifier(std::move(verifier))
{
    auto* column = beginDialog(this);
    addDialogTitle(column, this, tr("Verify a signature"));
    buildRequest(column);
    buildSecret(column);
    buildFoot(column);
    resize(720, 560);
    m_request->setFocus();
    judge();
}

void VerifyDialog::buildRequest(QVBoxLayout* column)
{
    addSentence(column, tr("Paste the request as it arrived: its header lines, an empty line, and the body "
                           "as it is."));
    m_request = new QPlainTextEdit(this);
    m_request->setFont(Look::current().font.mono);
    m_request->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_request->setTabChangesFocus(true);
    m_request->setAccessibleName(tr("Request"));
    m_request->setPlaceholderText(
        u"webhook-id: \u2026\nwebhook-timestamp: \u2026\nwebhook-signature: v1,\u2026\n\n{\u2026}"_s);
    column->addWidget(m_request, 1);
    connect(m_request, &QPlainTextEdit::textChanged, this, &VerifyDialog::judge);
}

void VerifyDialog::buildSecret(QVBoxLayout* column)
{
    auto* row = addFormRow(column, tr("Secret"));
    m_secret = new QComboBox(this);
    m_secret->setAccessibleName(tr("Secret"));
    m_secret->addItem(tr("All that are known"), kAll);
    m_secret->addItem(tr("Typed here"), kTyped);
    row->addWidget(m_secret);
    m_typed = new QLineEdit(this);
    m_typed->setEchoMode(QLineEdit::Password);
    m_typed->setMaxLength(kMostSecret);
    m_typed->setAccessibleName(tr("The secret, which is not kept"));
    m_typed->setPlaceholderText(tr("whsec_\u2026 (not kept)"));
    row->addWidget(m_typed, 1);
    connect(m_secret, &QComboBox::currentIndexChanged, this, &VerifyDialog::judge);
    connect(m_typed, &QLineEdit::textChanged, this, &VerifyDialog::judge);
}

void VerifyDialog::setNames(const QStringList& names)
{
    const QVariant chosen = m_secret->currentData();
    {
        const QSignalBlocker silent(m_secret);
        m_secret->clear();
        m_secret->addItem(tr("All that are known"), kAll);
        for (const QString& name : names)
            m_secret->addItem(cellText(name), name);
        m_secret->addItem(tr("Typed here"), kTyped);
        m_secret->setCurrentIndex(qMax(0, m_secret->findData(chosen)));
        if (names.isEmpty() && m_request->document()->isEmpty())
            m_secret->setCurrentIndex(m_secret->findData(kTyped));
    }
    if (m_secret->currentData() != chosen)
        judge();
}

void VerifyDialog::buildFoot(QVBoxLayout* column)
{
    m_verdict = new PlainLabel({}, PlainLabel::Step::Body);
    m_verdict->setWordWrap(true);
    m_verdict->setSelectable(true);
    m_verdict->setMinimumHeight(3 * fontMetrics().lineSpacing());
    m_verdict->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(m_verdict);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    foot->addStretch(1);
    auto* close = makeButton(tr("Close"), {}, this);
    m_verify = makeAccentButton(tr("Verify"), {}, this);
    m_verify->setDefault(true);
    foot->addWidget(close);
    foot->addWidget(m_verify);
    column->addLayout(foot);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_verify, &QPushButton::clicked, this, &VerifyDialog::verify);
}

// What was said holds for what stood there then.
void VerifyDialog::judge()
{
    m_asked.cancel();
    const bool typed = m_secret->currentData() == QVariant(kTyped);
    m_typed->setVisible(typed);
    m_verdict->clear();
    m_verdict->setStateColour({});
    m_verify->setEnabled(!m_request->document()->isEmpty() && (!typed || !m_typed->text().isEmpty()));
}

SignatureQuestion VerifyDialog::question() const
{
    SignatureQuestion question;
    question.request = m_request->toPlainText().toUtf8();
    const QVariant choice = m_secret->currentData();
    if (choice == QVariant(kTyped))
        question.typedSecret = m_typed->text().toUtf8();
    else if (choice != QVariant(kAll))
        question.secretName = choice.toString();
    return question;
}

void VerifyDialog::verify()
{
    auto latest = m_asked.guard([this](const SignatureAnswer& answer) { say(answer); });
    m_verifier(question(), [self = QPointer(this), latest](const SignatureAnswer& answer) mutable {
        if (self)
            latest(answer);
    });
}

void VerifyDialog::say(const SignatureAnswer& answer)
{
    m_verdict->setText(answer.words);
    m_verdict->setStateColour(answer.good ? u"done"_s : u"dead"_s);
}

QString VerifyDialog::verdict() const
{
    return m_verdict->text();
}

} // namespace redrive
