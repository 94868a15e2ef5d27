// The archive of dead letters: where it is, how it does, its files, and what can be done with it now. Window
// thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/models/archive_rows.h"
#include "ui/pages/page_context.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QGridLayout;

namespace redrive {

class ImportAction;
class PlainTableModel;
class RowTable;

class ArchivePanel final : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kAskEveryMs = 5'000; // while it is seen

    explicit ArchivePanel(const PageContext& context, QWidget* parent = nullptr);

    void ask();
    RowTable* table() const { return m_table; } // null without an archive
    ImportAction* importAction() const { return m_import; }
    QList<QAction*> actions() const;

Q_SIGNALS:
    void said(const QString& text); // one plain line

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void buildEmpty();
    void build();
    void onState(const Result<ArchiveState>& state);
    void showFacts();
    void doNow(ArchiveTask task);
    void updateActions();
    void fitHeight();

    PageContext m_context;
    ImportAction* m_import;
    QAction* m_write;
    QAction* m_upload;
    QGridLayout* m_facts = nullptr;
    PlainTableModel* m_model = nullptr;
    RowTable* m_table = nullptr;
    ArchiveState m_state;
    QList<ArchiveFact> m_shown;
    bool m_known = false;
    QList<ArchiveTask> m_underWay;
    QTimer m_timer;
    Latest m_latest;
};

} // namespace redrive
