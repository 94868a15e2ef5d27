// The queues: what waits in them, how fast they go and why they do not; pause, resume, purge. Window thread.
#pragma once

#include "ui/dialogs/purge_dialog.h"
#include "ui/pages/page_context.h"
#include "ui/widgets/page.h"

#include <QPointer>

namespace redrive {

class ActionRunner;
class BrokenBar;
class PageHeader;
class QueueDetail;
class QueuesModel;
class RowTable;

class QueuesPage final : public Page
{
    Q_OBJECT
public:
    explicit QueuesPage(PageContext context);

    NavEntry entry() const override;
    int navGroup() const override { return 3; }
    QString filterPlaceholder() const override;
    QString filter() const override { return m_filter; }
    void setFilter(const QString& filter) override;
    QString scopeText() const override;
    QList<QAction*> pageActions() const override;
    QWidget* detail() override;
    QWidget* focusTarget() override;
    QString currentId() const override;
    void setZone(format::Zone zone) override;
    void resync() override;
    void setCurrent(bool current) override;
    QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    RowTable* table() const { return m_table; }
    PurgeDialog* purgeDialog() const { return m_purgeDialog; } // the open question, if any

private:
    void build();
    QAction* addAction(const QString& text, const QString& iconName, const QString& key,
                       std::function<void()> run);
    void onCounts();
    void onProblem(const QString& text);
    void showRows();
    void showDetail();
    void updateActions();
    void act(ActionVerb verb);
    void askPurge();
    void openJobs();
    void openLetters();
    const QueueStats* currentQueue() const;

    PageContext m_context;
    ActionRunner* m_runner;
    QueuesModel* m_queues;
    QueueDetail* m_detail;
    BrokenBar* m_broken = nullptr;
    PageHeader* m_header = nullptr;
    RowTable* m_table = nullptr;
    QAction* m_pause = nullptr;
    QAction* m_resume = nullptr;
    QAction* m_purge = nullptr;
    QAction* m_jobs = nullptr;
    QAction* m_letters = nullptr;
    QAction* m_clearFilter = nullptr;
    QPointer<PurgeDialog> m_purgeDialog;
    QString m_filter;
    QString m_shownEmpty; // what the empty state says
    format::Zone m_zone = format::Zone::Utc;
};

} // namespace redrive
