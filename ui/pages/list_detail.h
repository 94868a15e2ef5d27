// The detail of a list page's current row: what the page needs of it. Window thread.
#pragma once

#include "ui/models/format.h"
#include "ui/models/row_value.h"
#include "ui/widgets/detail_pane.h"

namespace redrive {

class ListDetail : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    virtual DetailPane* pane() const = 0;
    void setActions(const QList<QAction*>& actions) { pane()->setActions(actions); }
    // The same row again only refreshes.
    virtual void show(const RowValue& row) = 0;
    virtual void showNothing() = 0;
    virtual QString shownId() const = 0; // of the shown row; empty: none
    virtual void setZone(format::Zone zone) = 0;
    virtual void setActive(bool active) = 0; // an idle detail asks nothing

    // The shown row on one line of JSON, under the names that exports give its fields; empty while there is
    // none.
    virtual QByteArray json() const = 0;

    // Rows of this kind are sent somewhere, as requests that can be copied and compared.
    virtual bool hasRequests() const { return false; }
    // The shown row's request as a curl command: the newest attempt's of a delivery, or the one that makes
    // the job again. Empty while there is none, or its payload is not here.
    virtual QString curl() const { return {}; }
    // The line of the configuration that would let the refused address be sent to; empty where the newest
    // attempt was not refused.
    virtual QString allowLine() const { return {}; }
    // Opens a dialog where the shown row has two attempts or more.
    virtual bool canCompare() const { return false; }
    virtual void compareAttempts(QWidget*) {}

Q_SIGNALS:
    void attemptsChanged();
};

} // namespace redrive
