#include "ui/pages/instances_page.h"

#include "ui/models/instance_rows.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"

#include <QVBoxLayout>

namespace redrive {

InstancesPage::InstancesPage(PageContext context)
    : m_context(std::move(context)), m_model(new PlainTableModel(instanceColumns(), this)),
      m_broken(new BrokenBar(this)), m_header(new PageHeader(tr("Instances"), this)),
      m_table(new RowTable(tr("Engines"), this))
{
    m_table->setClock(&m_context.bridge->clock());
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->showSort(-1, Qt::AscendingOrder);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_broken);
    column->addWidget(m_header);
    column->addWidget(m_table, 1);

    connect(m_broken, &BrokenBar::buttonPressed, this, &InstancesPage::resync);
    connect(m_context.bridge, &EngineBridge::connectionProblem, this, &InstancesPage::onProblem);
    connect(&m_refresh, &QTimer::timeout, this, &InstancesPage::ask);
    onProblem(m_context.bridge->problem());
}

NavEntry InstancesPage::entry() const
{
    return {u"instances"_s, tr("Instances"), u"instances"_s, u"I"_s, {}};
}

QString InstancesPage::scopeText() const
{
    return m_header->scope();
}

QWidget* InstancesPage::focusTarget()
{
    return m_table;
}

QString InstancesPage::currentId() const
{
    return m_table->currentRowId();
}

void InstancesPage::setZone(format::Zone zone)
{
    m_table->setZone(zone);
}

void InstancesPage::resync()
{
    m_context.bridge->refresh();
    ask();
}

void InstancesPage::setCurrent(bool current)
{
    if (!current) {
        m_refresh.stop();
        return;
    }
    ask();
    m_refresh.start(kRefreshMs);
}

QByteArray InstancesPage::saveState() const
{
    return m_table->saveColumns();
}

void InstancesPage::restoreState(const QByteArray& state)
{
    m_table->restoreColumns(state);
}

void InstancesPage::ask()
{
    m_context.bridge->instances(this, m_latest.guard([this](const Result<QList<InstanceInfo>>& instances) {
        onInstances(instances);
    }));
}

void InstancesPage::onInstances(const Result<QList<InstanceInfo>>& instances)
{
    m_table->setStale(!instances);
    if (!instances) {
        m_broken->showCause(instances.error().text(), tr("Try again"));
        return;
    }
    onProblem(m_context.bridge->problem());
    m_model->setRows(instanceRows(*instances));
    m_table->selectFirstRow();
    m_table->setEmptyState(
        instances->isEmpty()
            ? new EmptyState(tr("No engine has worked on this database within a day."), {}, {})
            : nullptr);
    m_header->setScope(instanceScope(*instances));
    Q_EMIT scopeChanged();
}

void InstancesPage::onProblem(const QString& text)
{
    if (text.isEmpty())
        m_broken->clear();
    else
        m_broken->showCause(text, tr("Try again"));
}

} // namespace redrive
