// The frame of a detail: badge, type, attempt, id with copy, the Why sentence, buttons, tabs. A page owns
// one, fills it through values and gives it to the shell as Page::detail(). Window thread.
#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QStackedWidget;
class QToolButton;

namespace redrive {

class PlainLabel;
class RunLabel;
class StateBadge;
class TabStrip;

struct DetailHead
{
    QString state;     // glyph name; empty: there is none to show
    QString stateText; // empty: the word of the state
    QString title;     // "webhook_fanout"
    QString attempt;   // "attempt 4 of 4"
    QString id;        // the full id
    QString why;       // the sentence, without "Why:"
};

class DetailPane final : public QWidget
{
    Q_OBJECT
public:
    explicit DetailPane(QWidget* parent = nullptr);

    // Nothing chosen: one plain sentence instead of everything ("Choose a job to see it here.").
    void showNothing(const QString& sentence);
    void setHead(const DetailHead& head);
    // The first three are buttons, the rest stand behind "more". Each follows its action.
    void setActions(const QList<QAction*>& actions);
    // Takes the widget; returns the tab's index.
    int addTab(const QString& title, QWidget* widget);
    void setTabCount(int index, qint64 count); // -1: none
    void setTabShown(int index, bool shown);   // all are at first; the first always is
    void setCurrentTab(int index);
    int currentTab() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void tabChosen(int index);
    void idCopied(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    StateBadge* m_badge;
    PlainLabel* m_title;
    PlainLabel* m_attempt;
    PlainLabel* m_id;
    RunLabel* m_why;
    QHBoxLayout* m_buttons;
    TabStrip* m_tabs;
    QStackedWidget* m_pages;
    PlainLabel* m_nothing;
    QStackedWidget* m_whole;
};

} // namespace redrive
