// The queues: what waits in them, how fast they go and why they do not; pause, resume, purge. Window thread.
#pragma once

#include "ui/dialogs/purge_dialog.h"
#include "ui/pages/named_rows_page.h"

#include <QPointer>

namespace redrive {

class ActionRunner;
class QueueDetail;
class QueuesModel;

class QueuesPage final : public NamedRowsPage
{
    Q_OBJECT
public:
    explicit QueuesPage(PageContext context);

    NavEntry entry() const override;
    int navGroup() const override { return 3; }
    QString filterPlaceholder() const override;
    QList<QAction*> pageActions() const override;
    QWidget* detail() override;

    PurgeDialog* purgeDialog() const { return m_purgeDialog; } // the open question, if any

protected:
    void useFilter(const FilterNode& filter) override;
    void showDetail() override;
    void updateActions() override;

private:
    void build();
    void onCounts();
    void showRows();
    void act(ActionVerb verb);
    void askPurge();
    const QueueStats* currentQueue() const;

    ActionRunner* m_runner;
    QueuesModel* m_queues;
    QueueDetail* m_detail;
    QAction* m_pause = nullptr;
    QAction* m_resume = nullptr;
    QAction* m_purge = nullptr;
    QAction* m_jobs = nullptr;
    QAction* m_letters = nullptr;
    QPointer<PurgeDialog> m_purgeDialog;
};

} // namespace redrive
