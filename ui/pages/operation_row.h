// One redrive in the operations: what it is, how far it has come, what became of its items, and the buttons
// that steer it. Window thread.
#pragma once

#include "core/domain/redrive.h"

#include <QHash>
#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace redrive {

class PlainLabel;
class ProgressBar;

class OperationRow final : public QWidget
{
    Q_OBJECT
public:
    explicit OperationRow(QWidget* parent = nullptr);

    // `obstacle`: why nothing may be steered; empty: it may. `nowMs`: unix.
    void present(const RedriveInfo& info, const QString& obstacle, qint64 nowMs);
    qint64 number() const { return m_info.no; }

Q_SIGNALS:
    void steered(redrive::RedriveSteer steer, double perSecond);
    void rowsWanted(const QString& page, const QString& filter);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showFigures();
    QPushButton* makeFigure(const QString& page, const QString& filter);
    void showButtons(const QString& obstacle);

    RedriveInfo m_info;
    PlainLabel* m_title = nullptr;
    PlainLabel* m_scope = nullptr;
    PlainLabel* m_count = nullptr;
    ProgressBar* m_bar = nullptr;
    PlainLabel* m_pace = nullptr;
    PlainLabel* m_state = nullptr;
    QHBoxLayout* m_figureRow = nullptr;
    QHash<QString, QPushButton*> m_figures; // by what they count
    bool m_held = false;
    QPushButton* m_undo = nullptr;
    QPushButton* m_begin = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_continue = nullptr;
    QPushButton* m_slower = nullptr;
    QPushButton* m_faster = nullptr;
    QPushButton* m_stop = nullptr;
};

} // namespace redrive
