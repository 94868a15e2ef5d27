#include "ui/dialogs/confirm_number_dialog.h"

#include "ui/models/format.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/environment_label.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

namespace redrive {

namespace {

constexpr int kWidth = 520;
constexpr int kFieldWidth = 96;

// Digits only: a typed number may carry any of the ways to part thousands.
QString digitsOf(const QString& text)
{
    QString digits;
    for (const auto c : text) {
        if (c.isDigit())
            digits += QChar(u'0' + c.digitValue());
        else if (!c.isSpace() && c != u'.' && c != u',' && c != u'\'')
            return {};
    }
    return digits;
}

} // namespace

ConfirmNumberDialog::ConfirmNumberDialog(const NumberQuestion& question, QWidget* parent)
    : QDialog(parent), m_count(question.count)
{
    const auto& look = Look::current();
    setWindowTitle(question.environment.isEmpty() ? question.title
                                                  : question.title + u" \u2014 "_s + question.environment);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(look.space.section);

    auto* head = new QHBoxLayout;
    auto* title = new PlainLabel(question.title, PlainLabel::Step::Title);
    title->setWordWrap(true);
    head->addWidget(title, 1);
    if (!question.environment.isEmpty())
        head->addWidget(new EnvironmentLabel(question.environment, question.environmentColour, this));
    column->addLayout(head);

    auto* words = new PlainLabel(question.consequence, PlainLabel::Step::Body, Emphasis::Secondary);
    words->setWordWrap(true);
    column->addWidget(words);

    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    m_act = makeAccentButton(question.buttonText, question.buttonIcon, this);
    if (question.alwaysType || question.count > kTypeAbove) {
        const auto number = format::number(question.count);
        m_number = new QLineEdit(this);
        m_number->setFixedWidth(kFieldWidth);
        m_number->setMaxLength(24);
        m_number->setAccessibleName(tr("Type %1 to allow it").arg(number));
        foot->addWidget(new PlainLabel(tr("Type"), PlainLabel::Step::Body, Emphasis::Secondary));
        foot->addWidget(new PlainLabel(number, PlainLabel::Step::Strong));
        foot->addWidget(m_number);
        connect(m_number, &QLineEdit::textChanged, this, &ConfirmNumberDialog::judge);
        judge({});
    }
    foot->addStretch(1);
    auto* cancel = makeButton(tr("Cancel"), {}, this);
    foot->addWidget(cancel);
    foot->addWidget(m_act);
    column->addLayout(foot);
    m_act->setDefault(!m_number);
    connect(m_act, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    if (m_number)
        connect(m_number, &QLineEdit::returnPressed, m_act, &QPushButton::click);
    setMinimumWidth(kWidth);
    (m_number ? static_cast<QWidget*>(m_number) : cancel)->setFocus();
}

void ConfirmNumberDialog::judge(const QString& typed)
{
    const bool right = digitsOf(typed) == QString::number(m_count);
    m_act->setEnabled(right);
    m_act->setToolTip(right ? QString()
                            : format::plainToolTip(tr("Type %1 first.").arg(format::number(m_count))));
}

} // namespace redrive
