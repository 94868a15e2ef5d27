// Asks before an action on many: which scope (of what an endpoint missed: since when), what would happen to
// it now (the engine's plan), in which environment, for what reason. The button carries the exact number and
// is disabled until the plan is there; over 1,000 the number is typed. Not modal; deletes itself. Window
// thread.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/bridge/latest.h"

#include <QDialog>

class QButtonGroup;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace redrive {

class DelayField;
class PaceFields;
class PlainLabel;
class SinceField;

struct ActionQuestion
{
    enum class Scope { Selected, Loaded, Matching };

    // Verb, list, filter, actor, source; of missed events: the endpoint, or nothing and `selected` are the
    // events with their endpoints; the rest of the question is not used.
    ActionRequest base;
    QStringList selected;
    bool allSelected = false; // the selection is everything that matches; its ids are not given
    QStringList loaded;
    qint64 matching = 0;
    // So many of the selected ones are delivered and were chosen each by itself: a replay sends them again
    // unless the operator leaves them out. 0: delivered ones are left out.
    int deliveredChosen = 0;
    Scope first = Scope::Selected;
    QString environment; // empty: no label
    QString environmentColour;
};

class ActionDialog final : public QDialog
{
    Q_OBJECT
public:
    ActionDialog(EngineBridge& bridge, ActionQuestion question, QWidget* parent = nullptr);

    QPushButton* actButton() const { return m_act; }
    DelayField* delayField() const { return m_delay; }  // of a postponement only
    SinceField* sinceField() const { return m_since; }  // of all that one endpoint missed only
    PaceFields* paceFields() const { return m_pace; }   // of verbs whose outcome is awaited only
    QLineEdit* numberField() const { return m_number; } // hidden while nothing must be typed
    void chooseScope(ActionQuestion::Scope scope);
    // Of a replay: delivered ones are sent again too.
    void chooseDelivered(bool too);

Q_SIGNALS:
    void decided(const redrive::ActionRequest& request);

private:
    void buildScope(QVBoxLayout* column);
    void buildMissed(QVBoxLayout* column);
    void buildTarget(QVBoxLayout* column);
    void buildPlan(QVBoxLayout* column);
    void buildReason(QVBoxLayout* column);
    void buildFoot(QVBoxLayout* column);
    void followScope();
    ActionRequest request() const;
    void askPlan();
    void showPlan(Result<ActionPlan> plan);
    void judge();

    EngineBridge& m_bridge;
    ActionQuestion m_question;
    Latest m_asked;
    int m_willAct = -1; // -1: the plan is not there
    PlainLabel* m_title = nullptr;
    PlainLabel* m_plan = nullptr;
    QButtonGroup* m_scopes = nullptr;
    QButtonGroup* m_targets = nullptr;
    DelayField* m_delay = nullptr;
    SinceField* m_since = nullptr;
    PaceFields* m_pace = nullptr;
    QLineEdit* m_reason = nullptr;
    PlainLabel* m_typeWords = nullptr;
    PlainLabel* m_typeWhy = nullptr;
    QLineEdit* m_number = nullptr;
    QPushButton* m_act = nullptr;
};

} // namespace redrive
