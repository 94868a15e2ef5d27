// Asks before a queue is emptied: how much would go now (the engine's plan), in which environment, for what
// reason; the exact number is typed. Only what the plan counted is deleted. Not modal; deletes itself. Window
// thread.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/bridge/latest.h"

#include <QDialog>

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace redrive {

class PlainLabel;

class PurgeDialog final : public QDialog
{
    Q_OBJECT
public:
    PurgeDialog(EngineBridge& bridge, QString queue, const QString& environment,
                const QString& environmentColour, QWidget* parent = nullptr);

    QPushButton* purgeButton() const { return m_purge; }
    QLineEdit* numberField() const { return m_number; }

Q_SIGNALS:
    void decided(const redrive::ActionRequest& request);

private:
    void buildBody(QVBoxLayout* column);
    void buildFoot(QVBoxLayout* column);
    ActionRequest request() const;
    void showPlan(const Result<ActionPlan>& plan);
    void judge();

    EngineBridge& m_bridge;
    QString m_queue;
    Latest m_asked;
    qint64 m_willAct = -1; // -1: the plan is not there
    std::optional<qint64> m_cutoff;
    PlainLabel* m_title = nullptr;
    PlainLabel* m_plan = nullptr;
    QLineEdit* m_reason = nullptr;
    PlainLabel* m_typeWords = nullptr;
    QLineEdit* m_number = nullptr;
    QPushButton* m_purge = nullptr;
};

} // namespace redrive
