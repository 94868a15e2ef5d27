// The endpoints of webhooks: how each one does and why nothing goes to it; registered, changed, held, deleted
// and tested from here. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/dialogs/endpoint_delete_dialog.h"
#include "ui/dialogs/endpoint_dialog.h"
#include "ui/dialogs/revoke_dialog.h"
#include "ui/dialogs/rotate_dialog.h"
#include "ui/pages/action_runner.h"
#include "ui/pages/named_rows_page.h"

#include <QPointer>
#include <QTimer>

namespace redrive {

class EndpointDetailView;
class PlainTableModel;

class EndpointsPage final : public NamedRowsPage
{
    Q_OBJECT
public:
    static constexpr int kRefreshMs = 2'000; // at most so often while deliveries go out

    explicit EndpointsPage(PageContext context);

    NavEntry entry() const override;
    int navGroup() const override { return 2; }
    QString filterPlaceholder() const override;
    QList<QAction*> pageActions() const override;
    QWidget* detail() override;
    void resync() override;
    void setCurrent(bool current) override;

    EndpointDialog* dialog() const { return m_dialog; }                   // that is open, if any
    RotateDialog* rotateDialog() const { return m_rotateDialog; }         // the same
    EndpointDeleteDialog* deleteDialog() const { return m_deleteDialog; } // the same
    RevokeDialog* revokeDialog() const { return m_revokeDialog; }         // the same
    ActionDialog* missedDialog() const { return m_runner->dialog(); }     // the same

protected:
    void useFilter(const FilterNode& filter) override;
    void showDetail() override;
    void updateActions() override;

private:
    using Answered = std::function<void(const Result<EndpointChanged>&)>;

    void build();
    void noteChange();
    void ask();
    void onEndpoints(const Result<QList<EndpointRow>>& endpoints);
    void showRows();
    // What the engine says goes to `answered`, or without it into the status bar.
    void change(EndpointChange asked, const Answered& answered = {});
    void change(EndpointVerb verb);
    void resume();
    // The same for a dialog that asks: the answer goes to it alone, as long as it is open.
    template <typename Dialog>
    void changeFor(Dialog* dialog);
    void openDialog(const EndpointRow& known);
    void askRotate();
    void askDelete();
    void askMissed();
    void askRevoke(const QString& secretName);
    void test();
    const EndpointRow* current() const;

    PlainTableModel* m_model;
    EndpointDetailView* m_detail;
    ActionRunner* m_runner;
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
    QAction* m_missed = nullptr;
    QPointer<EndpointDialog> m_dialog;
    QPointer<EndpointDeleteDialog> m_deleteDialog;
    QPointer<RotateDialog> m_rotateDialog;
    QPointer<RevokeDialog> m_revokeDialog;
    QList<EndpointRow> m_endpoints;
    FilterNode m_wanted;
    QTimer m_refresh; // runs while something has changed since the last question
    Latest m_latest;
    Latest m_latestDetail;
    QString m_detailId; // of what the detail shows
    bool m_isCurrent = false;
    bool m_known = false; // the list has come
};

} // namespace redrive
