// The overview: six figures that lead to their rows, the throughput and the backlog of the last minutes, the
// queues with pause and resume. Window thread.
#pragma once

#include "ui/pages/page_context.h"
#include "ui/pages/throughput_history.h"
#include "ui/widgets/page.h"

namespace redrive {

class ActionRunner;
class BrokenBar;
class PageHeader;
class QueuesModel;
class RowTable;
class ThroughputStrip;
class TileBand;

class OverviewPage final : public Page
{
    Q_OBJECT
public:
    explicit OverviewPage(PageContext context);

    NavEntry entry() const override;
    int navGroup() const override { return 0; }
    bool takesFilter() const override { return false; }
    QString filterPlaceholder() const override { return tr("The filter works on the lists"); }
    QList<QAction*> pageActions() const override;
    QString scopeText() const override;
    QWidget* focusTarget() override;
    QString currentId() const override;
    void setZone(format::Zone zone) override;
    void resync() override;
    QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    RowTable* table() const { return m_table; }
    TileBand* tiles() const { return m_tiles; }

private:
    void build();
    void onCounts(const StoreCounts& counts);
    void onHealth(const EngineHealth& health);
    void onProblem(const QString& text);
    void showTime();
    void showTiles();
    void openTile(int tile);
    void openQueue();
    void updateActions();
    void act(ActionVerb verb);
    const QueueStats* currentQueue() const;

    PageContext m_context;
    ActionRunner* m_runner;
    QueuesModel* m_queues;
    BrokenBar* m_broken = nullptr;
    PageHeader* m_header = nullptr;
    TileBand* m_tiles = nullptr;
    ThroughputStrip* m_strip = nullptr;
    RowTable* m_table = nullptr;
    QAction* m_pause = nullptr;
    QAction* m_resume = nullptr;
    QAction* m_show = nullptr;
    ThroughputHistory m_history;
    QList<double> m_backlogs; // one per change of the counts
    qint64 m_oldSinceMs = 0;  // 0: what is shown is of now
    double m_peak = 0;        // jobs per second since the window opened
    format::Zone m_zone = format::Zone::Utc;
};

} // namespace redrive
