// The endpoints of webhooks: how each one does and why nothing goes to it; registered, changed, held, deleted
// and tested from here. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/dialogs/endpoint_delete_dialog.h"
#include "ui/dialogs/endpoint_dialog.h"
#include "ui/dialogs/rotate_dialog.h"
#include "ui/pages/page_context.h"
#include "ui/widgets/page.h"

#include <QPointer>
#include <QTimer>

namespace redrive {

class BrokenBar;
class EndpointDetailView;
class PageHeader;
class PlainTableModel;
class RowTable;

class EndpointsPage final : public Page
{
    Q_OBJECT
public:
    static constexpr int kRefreshMs = 2'000; // at most so often while deliveries go out

    explicit EndpointsPage(PageContext context);

    NavEntry entry() const override;
    int navGroup() const override { return 2; }
    QString filterPlaceholder() const override { return tr("Filter endpoints: a part of the name or URL"); }
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
    EndpointDialog* dialog() const { return m_dialog; }                   // that is open, if any
    RotateDialog* rotateDialog() const { return m_rotateDialog; }         // the same
    EndpointDeleteDialog* deleteDialog() const { return m_deleteDialog; } // the same

private:
    void build();
    QAction* addAction(const QString& text, const QString& iconName, const QString& key,
                       std::function<void()> run);
    void noteChange();
    void ask();
    void onEndpoints(const Result<QList<EndpointRow>>& endpoints);
    void showRows();
    void askDetail();
    void updateActions();
    void change(EndpointChange asked);
    void change(EndpointVerb verb);
    void openDialog(const EndpointRow& known);
    void askRotate();
    void askDelete();
    void test();
    void openDeliveries();
    const EndpointRow* current() const;

    PageContext m_context;
    PlainTableModel* m_model;
    EndpointDetailView* m_detail;
    BrokenBar* m_broken = nullptr;
    PageHeader* m_header = nullptr;
    RowTable* m_table = nullptr;
    QAction* m_new = nullptr;
    QAction* m_edit = nullptr;
    QAction* m_pause = nullptr;
    QAction* m_resume = nullptr;
    QAction* m_disable = nullptr;
    QAction* m_enable = nullptr;
    QAction* m_test = nullptr;
    QAction* m_delete = nullptr;
    QAction* m_rotate = nullptr;
    QAction* m_deliveries = nullptr;
    QAction* m_clearFilter = nullptr;
    QPointer<EndpointDialog> m_dialog;
    QPointer<EndpointDeleteDialog> m_deleteDialog;
    QPointer<RotateDialog> m_rotateDialog;
    QList<EndpointRow> m_endpoints;
    QString m_filter;
    QString m_shownEmpty;
    QTimer m_refresh; // runs while something has changed since the last question
    Latest m_latest;
    Latest m_latestDetail;
    bool m_isCurrent = false;
    bool m_known = false; // the list has come
    format::Zone m_zone = format::Zone::Utc;
};

} // namespace redrive
