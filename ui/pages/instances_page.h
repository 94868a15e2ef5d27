// The engines on this database: where they run, how long their lease lasts, what they hold. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/pages/page_context.h"
#include "ui/widgets/page.h"

namespace redrive {

class BrokenBar;
class PageHeader;
class PlainTableModel;
class RowTable;

class InstancesPage final : public Page
{
    Q_OBJECT
public:
    static constexpr int kRefreshMs = 2'000; // leases run, and no commit tells of it

    explicit InstancesPage(PageContext context);

    NavEntry entry() const override;
    int navGroup() const override { return 3; }
    bool takesFilter() const override { return false; }
    QString filterPlaceholder() const override { return tr("The filter works on the lists"); }
    QString scopeText() const override;
    QWidget* focusTarget() override;
    QString currentId() const override;
    void setZone(format::Zone zone) override;
    void resync() override;
    void setCurrent(bool current) override;
    QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    RowTable* table() const { return m_table; }

private:
    void ask();
    void onInstances(const Result<QList<InstanceInfo>>& instances);
    void onProblem(const QString& text);

    PageContext m_context;
    PlainTableModel* m_model;
    BrokenBar* m_broken;
    PageHeader* m_header;
    RowTable* m_table;
    QTimer m_refresh;
    Latest m_latest;
};

} // namespace redrive
