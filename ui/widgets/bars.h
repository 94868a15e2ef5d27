// The bars that stand over or under a table. Each is hidden until it has something to say. Window thread.
#pragma once

#include <QWidget>

class QAction;
class QPushButton;

namespace redrive {

class PlainLabel;
class RunLabel;

// "37 new since 14:19 · rows keep their place until merged", Merge M, Follow F. Under the table.
class NewRowsBar final : public QWidget
{
    Q_OBJECT
public:
    explicit NewRowsBar(QWidget* parent = nullptr);

    // 0 hides the bar. `since` is finished text ("14:19"); `more`: count is a lower bound.
    void setNewRows(qint64 count, const QString& since, bool more = false);

Q_SIGNALS:
    void mergeRequested();
    void followRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RunLabel* m_text;
};

// Warning icon, cause, one button; over the page while its source is broken.
class BrokenBar final : public QWidget
{
    Q_OBJECT
public:
    explicit BrokenBar(QWidget* parent = nullptr);

    // An empty button text leaves the button out.
    void showCause(const QString& cause, const QString& button);
    void clear();

Q_SIGNALS:
    void buttonPressed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    PlainLabel* m_cause;
    QPushButton* m_button;
};

// One sentence and at most two buttons, left aligned; for RowTable::setEmptyState().
class EmptyState final : public QWidget
{
    Q_OBJECT
public:
    // `term` is shown in mono when not empty: after the sentence ("0 of 18 330 match" + filter), or wrapped
    // on lines below it.
    EmptyState(const QString& sentence, const QString& term, const QList<QAction*>& actions,
               bool termBelow = false, QWidget* parent = nullptr);
};

} // namespace redrive
