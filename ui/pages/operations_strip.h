// The operations that are under way, and those that ended just now: how far each has come, what became of its
// items, and the buttons to pause, continue, slow down, speed up and stop it. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/pages/page_context.h"

#include <QTimer>
#include <QWidget>

class QVBoxLayout;

namespace redrive {

class OperationRow;
class PlainLabel;

class OperationsStrip final : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kAskEveryMs = 500;
    static constexpr qint64 kShownAfterEndMs = 600'000;
    static constexpr int kSmall = 10; // items; what is done at once and is not more is not shown by itself

    explicit OperationsStrip(const PageContext& context, QWidget* parent = nullptr);

    // All that are kept, instead of those that matter now.
    void setShowAll(bool all);
    int rowCount() const { return int(m_rows.size()); }
    OperationRow* row(qint64 number) const;
    QSize sizeHint() const override;
    // Takes back what this operator asked for last, from a console, of what is not undone yet.
    void undo();

Q_SIGNALS:
    void rowsChanged(int count);
    void pageWanted(const QString& entryId, const QString& filter);
    void messageRaised(const QString& text);

private:
    void ask();
    void take(const Result<QList<RedriveInfo>>& redrives);
    void showRows();
    OperationRow* makeRow();
    bool matters(const RedriveInfo& info) const;
    void steer(qint64 number, RedriveSteer how, double perSecond);
    void undoLastOf(const QList<RedriveInfo>& redrives);
    QString obstacle() const;

    PageContext m_context;
    Latest m_asked;
    QTimer m_pause;
    bool m_wanted = false;
    bool m_all = false;
    QList<RedriveInfo> m_redrives;
    QList<OperationRow*> m_rows;
    QVBoxLayout* m_column = nullptr;
    PlainLabel* m_nothing = nullptr;
};

} // namespace redrive
