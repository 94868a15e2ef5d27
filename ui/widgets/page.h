// One page of the console. The shell knows only this: it shows the navigator entries, the header's title and
// scope, the filter field, the actions in a menu and the detail in the dock, and owns no logic of a page.
// Window thread.
//
// A page builds its own header (PageHeader), table (RowTable) and bars inside itself; it reports changes
// through the signals. Letter shortcuts belong to the table: RowTable::addLetterAction().
#pragma once

#include "ui/models/format.h"

#include <QList>
#include <QString>
#include <QWidget>

class QAction;

namespace redrive {

// An entry of the navigator. A page has one of its own and may add children that are the same page with a
// filter.
struct NavEntry
{
    QString id;       // "jobs", "jobs/active"
    QString title;    // translated
    QString iconName; // children have none
    QString goKey;    // the letter after G, "J"; empty: none
    QString filter;   // what choosing the entry sets; children only
};

class Page : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual NavEntry entry() const = 0;
    virtual QList<NavEntry> children() const { return {}; }
    // Entries of one group stand together; groups are parted by air. Overview 0, work 1, deliveries 2,
    // records 3.
    virtual int navGroup() const { return 1; }

    virtual bool takesFilter() const { return true; }
    virtual QString filterPlaceholder() const { return {}; }
    virtual QString filter() const { return {}; }
    virtual void setFilter(const QString&) {}
    // What can be typed into the filter, the most likely first: "tenant:acme", and fields to go on from
    // ("id:").
    virtual QStringList filterWords() const { return {}; }

    // What the page shows, in words, for the window title of a screen reader: "862 of 999 match, 8 selected".
    virtual QString scopeText() const { return {}; }
    // The menu of the page: its title and its actions in order (a separator is an action too).
    virtual QString menuTitle() const { return entry().title; }
    virtual QList<QAction*> pageActions() const { return {}; }
    // Shown in the detail dock while the page is current; nothing: the dock is hidden. Stays owned by the
    // page.
    virtual QWidget* detail() { return nullptr; }
    // Where the focus goes when the page is chosen or Esc leaves the filter.
    virtual QWidget* focusTarget() { return this; }
    virtual QString currentId() const { return {}; } // for Ctrl+C

    virtual void setZone(format::Zone) {}
    virtual void resync() {}         // F5: ask for everything again
    virtual void setCurrent(bool) {} // shown or hidden: a hidden page refreshes only its counts
    virtual QByteArray saveState() const { return {}; } // columns, order, splitters
    virtual void restoreState(const QByteArray&) {}

Q_SIGNALS:
    void scopeChanged();
    void filterChanged(const QString& filter);                 // the page changed its filter itself
    void filterRejected(const QString& message, int position); // position in characters, -1: none
    void filterAccepted();
    void navCountChanged(const QString& entryId, qint64 count, bool growing); // -1: unknown
    void detailWanted();                                            // Enter or double click: show the dock
    void pageWanted(const QString& entryId, const QString& filter); // a link to other rows
    void zoneWanted(redrive::format::Zone zone);                    // for the whole window
    void messageRaised(const QString& text);                        // one plain line for the status bar
};

} // namespace redrive
