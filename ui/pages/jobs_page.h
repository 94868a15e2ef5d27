// Every job, newest first; dead ones are requeued, timers run now, failed deliveries of a fan-out replayed.
// Window thread.
#pragma once

#include "ui/pages/list_page.h"

namespace redrive {

class JobsPage final : public ListPage
{
    Q_OBJECT
public:
    explicit JobsPage(const PageContext& context);

    NavEntry entry() const override;
    QList<NavEntry> children() const override;
    QString filterPlaceholder() const override;

protected:
    qint64 total() const override;
    QString emptySentence() const override;
    QList<QAction*> emptyActions() override;

private:
    void sendTestJob();

    QAction* m_sendTest;
    QAction* m_startDemo;
};

} // namespace redrive
