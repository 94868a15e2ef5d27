// The head of a page: title, scope in words with strong numbers, actions at the right. Window thread.
#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;

namespace redrive {

class PlainLabel;
class RunLabel;

class PageHeader final : public QWidget
{
    Q_OBJECT
public:
    explicit PageHeader(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    // One plain sentence; its numbers become strong: "862 of 999 match · 8 selected".
    void setScope(const QString& sentence, bool numbersStrong = true);
    QString scope() const;
    // Small buttons in order; each follows its action. The text of an action may carry the number ("Requeue
    // 8").
    // The first four are buttons, the rest stand behind "more".
    void setActions(const QList<QAction*>& actions);
    // At the far right, after the buttons: a view switch, a range.
    void addWidget(QWidget* widget);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyMetrics();

    PlainLabel* m_title;
    RunLabel* m_scope;
    QHBoxLayout* m_actions;
    QHBoxLayout* m_row;
};

} // namespace redrive
