#include "ui/dialogs/edit_dialog.h"

#include "core/base/json_gate.h"
#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/form_row.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/models/verb_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/json_highlighter.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextBlock>

namespace redrive {

namespace {

// As the engine judges a payload: it stands one level deep in what POST /jobs takes.
constexpr JsonLimits kPayload{63, 10'000, false};

QString textOf(const QByteArray& utf8)
{
    return QString::fromUtf8(utf8);
}

} // namespace

EditDialog::EditDialog(EngineBridge& bridge, EditQuestion question, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_question(std::move(question))
{
    auto* column = beginDialog(this);
    buildHead(column);
    buildText(column);
    buildFoot(column);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kPlanAfterMs);
    connect(&m_rest, &QTimer::timeout, this, &EditDialog::askPlan);
    connect(m_text, &QPlainTextEdit::textChanged, this, &EditDialog::check);
    resize(720, 560);
    m_text->setFocus();
    check();
}

bool EditDialog::isEditable(const QByteArray& payload)
{
    // An editor knows one kind of line end and no NUL; everything else comes back as it was.
    const QString text = textOf(payload);
    return text.toUtf8() == payload && !text.contains(u'\r') && !text.contains(QChar::ParagraphSeparator) &&
           !text.contains(QChar::Null) && !text.contains(QChar(0xfdd0)) && !text.contains(QChar(0xfdd1));
}

void EditDialog::buildHead(QVBoxLayout* column)
{
    const auto words = wordsOf(ActionVerb::Edit);
    const auto id = m_question.base.scope.ids.value(0);
    addDialogTitle(column, this, words.verb + u' ' + cellText(m_question.title) + u' ' + format::shortId(id),
                   m_question.environment, m_question.environmentColour);
    addSentence(column, words.consequence);
}

void EditDialog::buildText(QVBoxLayout* column)
{
    m_text = new QPlainTextEdit(this);
    m_text->setFont(Look::current().font.mono);
    m_text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("Payload"));
    m_text->setPlainText(textOf(m_question.payload));
    if (m_question.contentType == u"json")
        new JsonHighlighter(m_text->document());
    column->addWidget(m_text, 1);
    m_verdict = new PlainLabel;
    m_verdict->setWordWrap(true);
    m_verdict->setAccessibleName(tr("What the engine says"));
    column->addWidget(m_verdict);
}

void EditDialog::buildFoot(QVBoxLayout* column)
{
    auto* reason = addFormRow(column, tr("Reason"));
    m_reason = makeReasonField(this);
    reason->addWidget(m_reason, 1);

    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    auto* cancel = makeButton(tr("Cancel"), {}, this);
    m_act = makeAccentButton(wordsOf(ActionVerb::Edit).verb, wordsOf(ActionVerb::Edit).icon, this);
    foot->addStretch(1);
    foot->addWidget(cancel);
    foot->addWidget(m_act);
    column->addLayout(foot);
    connect(cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_act, &QPushButton::clicked, this, [this] {
        Q_EMIT decided(request());
        close();
    });
}

QString EditDialog::verdict() const
{
    return m_verdict->text();
}

QByteArray EditDialog::bytes() const
{
    // toPlainText() would turn non-breaking spaces into plain ones.
    return m_text->document()->toRawText().replace(QChar::ParagraphSeparator, u'\n').toUtf8();
}

ActionRequest EditDialog::request() const
{
    auto request = m_question.base;
    request.reason = m_reason->text().trimmed();
    request.payload = bytes();
    return request;
}

void EditDialog::check()
{
    m_asked.cancel();
    m_rest.stop();
    m_text->setExtraSelections({});
    if (m_question.contentType == u"json") {
        const QByteArray json = bytes();
        if (const auto fault = checkJson(json, kPayload)) {
            const auto before = textOf(json.left(fault->offset));
            const auto line = before.count(u'\n') + 1;
            const auto at = before.size() - (before.lastIndexOf(u'\n') + 1) + 1;
            say(tr("Line %1, column %2: %3").arg(line).arg(at).arg(cellText(fault->text())), true, false);
            markFault(before.size());
            return;
        }
    }
    say(tr("The engine is asked\u2026"), false, false);
    m_rest.start();
}

void EditDialog::markFault(qsizetype offset)
{
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(m_text->document());
    const int last = qMax(0, m_text->document()->characterCount() - 1);
    const int at = qMin(int(offset), last);
    mark.cursor.setPosition(at == last && at > 0 ? at - 1 : at);
    mark.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(Look::current().state(u"dead"_s).text);
    m_text->setExtraSelections({mark});
}

void EditDialog::askPlan()
{
    m_bridge.plan(this, request(), m_asked.guard([this](Result<ActionPlan> plan) {
        if (!plan)
            say(cellText(plan.error().text()), true, false);
        else if (plan->willAct == 0)
            say(tr("Not possible: it %1").arg(cellText(plan->skipped.value(0).first)), true, false);
        else
            say(tr("A new version takes its place; the old one is kept."), false, true);
    }));
}

void EditDialog::say(const QString& words, bool wrong, bool may)
{
    m_verdict->setText(words);
    m_verdict->setStateColour(wrong ? u"dead"_s : QString());
    m_act->setEnabled(may);
    m_act->setToolTip(format::plainToolTip(may ? QString() : words));
}

} // namespace redrive
