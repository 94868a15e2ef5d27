// Where alerts are posted to: a table, and a test for each. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/pages/page_context.h"

#include <QWidget>

class QAction;

namespace redrive {

class PlainTableModel;
class RowTable;

class AlertsPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit AlertsPanel(const PageContext& context, QWidget* parent = nullptr);

    void ask();
    RowTable* table() const { return m_table; }
    QAction* testAction() const { return m_test; }

Q_SIGNALS:
    void said(const QString& text); // one plain line

private:
    void onTargets(const Result<QList<AlertTargetRow>>& targets);
    void test();
    void fitHeight();
    void updateAction();

    PageContext m_context;
    PlainTableModel* m_model;
    RowTable* m_table;
    QAction* m_test;
    QList<AlertTargetRow> m_targets;
    bool m_testing = false;
    Latest m_latest;
};

} // namespace redrive
