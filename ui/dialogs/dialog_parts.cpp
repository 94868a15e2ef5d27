#include "ui/dialogs/dialog_parts.h"

#include "core/base/result.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/environment_label.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QCoreApplication>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace redrive {

namespace {

constexpr int kMostReason = 500;

QString words(const char* text)
{
    return QCoreApplication::translate("Dialogs", text);
}

} // namespace

QVBoxLayout* beginDialog(QDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(Look::current().space.section);
    return column;
}

PlainLabel* addDialogTitle(QVBoxLayout* column, QDialog* dialog, const QString& title,
                           const QString& environment, const QString& environmentColour)
{
    dialog->setWindowTitle(environment.isEmpty() ? title : title + u" \u2014 "_s + environment);
    auto* head = new QHBoxLayout;
    auto* label = new PlainLabel(title, PlainLabel::Step::Title);
    head->addWidget(label, 1);
    if (!environment.isEmpty())
        head->addWidget(new EnvironmentLabel(environment, environmentColour, dialog));
    column->addLayout(head);
    return label;
}

PlainLabel* addSentence(QVBoxLayout* column, const QString& text)
{
    auto* sentence = new PlainLabel(text, PlainLabel::Step::Body, Emphasis::Secondary);
    sentence->setWordWrap(true);
    column->addWidget(sentence);
    return sentence;
}

void addCloseButton(QVBoxLayout* column, QDialog* dialog)
{
    auto* foot = new QHBoxLayout;
    auto* close = makeButton(words("Close"), {}, dialog);
    foot->addStretch(1);
    foot->addWidget(close);
    column->addLayout(foot);
    QObject::connect(close, &QPushButton::clicked, dialog, &QDialog::close);
}

QLineEdit* makeReasonField(QWidget* dialog)
{
    auto* reason = new QLineEdit(dialog);
    reason->setMaxLength(kMostReason);
    reason->setAccessibleName(words("Reason"));
    reason->setPlaceholderText(words("Written into the activity"));
    return reason;
}

QString typedDigits(const QString& text)
{
    QString digits;
    for (const QChar c : text)
        if (c.isDigit())
            digits += QChar(u'0' + c.digitValue());
        else if (!c.isSpace() && c != u'.' && c != u',' && c != u'\'')
            return {};
    return digits;
}

} // namespace redrive
