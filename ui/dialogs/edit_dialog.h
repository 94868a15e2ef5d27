// Edits the payload of one job, or the body of one message's dead letter, before it is requeued: the JSON is
// checked at every change, with the place of the first fault, and the engine says what it would do. Not
// modal; deletes itself. Window thread.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/bridge/latest.h"

#include <QDialog>
#include <QTimer>

class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace redrive {

class PlainLabel;

struct EditQuestion
{
    ActionRequest base;                           // verb, one id, actor, source
    QString title;                                // the job's type
    QString contentType = QStringLiteral("json"); // json, text
    QByteArray payload;
    QString environment; // empty: no label
    QString environmentColour;
};

class EditDialog final : public QDialog
{
    Q_OBJECT
public:
    static constexpr int kPlanAfterMs = 250; // of rest

    EditDialog(EngineBridge& bridge, EditQuestion question, QWidget* parent = nullptr);

    QPlainTextEdit* text() const { return m_text; }
    QPushButton* actButton() const { return m_act; }
    QString verdict() const; // what is wrong, or what would happen
    // Whether a payload can be edited as text without changing anything else of it.
    static bool isEditable(const QByteArray& payload);

Q_SIGNALS:
    void decided(const redrive::ActionRequest& request);

private:
    void buildHead(QVBoxLayout* column);
    void buildText(QVBoxLayout* column);
    void buildFoot(QVBoxLayout* column);
    QByteArray bytes() const;
    ActionRequest request() const;
    void check();
    void markFault(qsizetype offset);
    void askPlan();
    void say(const QString& words, bool wrong, bool may);

    EngineBridge& m_bridge;
    EditQuestion m_question;
    Latest m_asked;
    QTimer m_rest;
    QPlainTextEdit* m_text = nullptr;
    PlainLabel* m_verdict = nullptr;
    QLineEdit* m_reason = nullptr;
    QPushButton* m_act = nullptr;
};

} // namespace redrive
