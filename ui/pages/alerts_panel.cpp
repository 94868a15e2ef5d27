#include "ui/pages/alerts_panel.h"

#include "ui/models/alert_target_rows.h"
#include "ui/models/state_words.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/row_table.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kLeastRows = 2;
constexpr int kMostRows = 4;

} // namespace

AlertsPanel::AlertsPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new PlainTableModel(alertTargetColumns(), this)),
      m_table(new RowTable(tr("Targets of alerts"), this)), m_test(new QAction(tr("Send a test alert"), this))
{
    m_test->setIcon(icon(u"ui/bell"_s));
    connect(m_test, &QAction::triggered, this, &AlertsPanel::test);
    m_table->setClock(&m_context.bridge->clock());
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->showSort(-1, Qt::AscendingOrder);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->addAction(m_test);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_table, 1);
    row->addWidget(makeActionButton(m_test, true, this), 0, Qt::AlignTop);
    connect(m_table, &RowTable::selectionCountChanged, this, &AlertsPanel::updateAction);
    fitHeight();
    updateAction();
}

void AlertsPanel::ask()
{
    m_context.bridge->alertTargets(
        this, m_latest.guard([this](const Result<QList<AlertTargetRow>>& targets) { onTargets(targets); }));
}

void AlertsPanel::onTargets(const Result<QList<AlertTargetRow>>& targets)
{
    m_table->setStale(!targets);
    if (!targets) {
        Q_EMIT said(targets.error().text());
        return;
    }
    m_targets = *targets;
    m_model->setRows(alertTargetRows(m_targets));
    m_table->setEmptyState(
        m_targets.isEmpty()
            ? new EmptyState(tr("No target: alerts show in this window alone. The table alerts of the "
                                "configuration names some."),
                             {}, {})
            : nullptr);
    m_table->selectFirstRow();
    fitHeight();
    updateAction();
}

void AlertsPanel::fitHeight()
{
    const int rows = std::clamp(int(m_targets.size()), kLeastRows, kMostRows);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            rows * m_table->verticalHeader()->defaultSectionSize() + 4);
}

void AlertsPanel::updateAction()
{
    const bool chosen = !m_table->currentRowId().isEmpty();
    const bool locked = m_context.readOnly;
    m_test->setEnabled(chosen && !locked && !m_testing);
    const QString why = locked      ? tr("This profile is read-only.")
                        : !chosen   ? tr("No target is chosen.")
                        : m_testing ? tr("The test is on its way.")
                                    : tr("Posts an example to this target; it counts nowhere.");
    m_test->setToolTip(format::plainToolTip(why));
}

void AlertsPanel::test()
{
    m_testing = true;
    updateAction();
    m_context.bridge->testAlert(this, m_table->currentRowId(), [this](const Result<AlertTestResult>& result) {
        m_testing = false;
        updateAction();
        if (!result)
            Q_EMIT said(tr("The test alert was not sent: %1").arg(result.error().text()));
        else if (result->arrived)
            Q_EMIT said(
                tr("The test alert arrived at %1 after %2: %3")
                    .arg(cellText(result->place), format::elapsed(result->tookMs), cellText(result->words)));
        else
            Q_EMIT said(tr("The test alert did not arrive at %1: %2")
                            .arg(cellText(result->place), cellText(result->words)));
    });
}

} // namespace redrive
