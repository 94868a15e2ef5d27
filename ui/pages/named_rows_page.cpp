#include "ui/pages/named_rows_page.h"

#include "ui/widgets/bars.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"

#include <QAction>
#include <QMenu>
#include <QVBoxLayout>

namespace redrive {

NamedRowsPage::NamedRowsPage(PageContext context, const NameFilterTerms& terms, QAbstractItemModel* model,
                             const QString& title)
    : m_context(std::move(context)), m_terms(terms), m_broken(new BrokenBar(this)),
      m_header(new PageHeader(title, this)), m_table(new RowTable(title, this)),
      m_clearFilter(new QAction(tr("Clear filter"), this))
{
    model->setParent(this);
    m_table->setClock(&bridge().clock());
    m_table->setModel(model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->showSort(-1, Qt::AscendingOrder);
    connect(m_clearFilter, &QAction::triggered, this, [this] {
        setFilter({});
        Q_EMIT filterChanged({});
    });

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_broken);
    column->addWidget(m_header);
    column->addWidget(m_table, 1);

    connect(&bridge(), &EngineBridge::healthChanged, this, [this] {
        showProblem();
        updateActions();
    });
    connect(&bridge(), &EngineBridge::connectionProblem, this, [this] {
        showProblem();
        updateActions();
    });
    connect(m_broken, &BrokenBar::buttonPressed, this, &Page::resync);
    connect(m_table, &RowTable::currentRowChanged, this, [this] { showDetail(); });
    connect(m_table, &RowTable::selectionCountChanged, this, [this] { updateActions(); });
    connect(m_table, &RowTable::rowActivated, this, &Page::detailWanted);
    connect(m_table, &QWidget::customContextMenuRequested, this, &NamedRowsPage::showMenu);
}

QAction* NamedRowsPage::addAction(const QString& text, const QString& iconName, const QString& key,
                                  std::function<void()> run)
{
    auto* action = new QAction(text, this);
    action->setIcon(icon(iconName));
    if (!key.isEmpty()) {
        action->setShortcut(QKeySequence(key));
        m_table->addLetterAction(action);
    }
    connect(action, &QAction::triggered, this, std::move(run));
    return action;
}

void NamedRowsPage::allow(QAction* action, const QString& obstacle)
{
    const QString why = m_context.readOnly           ? tr("This profile is read-only.")
                        : !bridge().health().running ? tr("The engine is not running.")
                                                     : obstacle;
    action->setEnabled(why.isEmpty());
    action->setStatusTip(why);
}

void NamedRowsPage::setFilter(const QString& filter)
{
    m_filter = filter;
    const auto parsed = parseFilter(filter);
    if (!parsed) {
        Q_EMIT filterRejected(parsed.error().message, int(parsed.error().position));
        return;
    }
    if (const auto checked = checkNameFilter(parsed->root, m_terms); !checked) {
        Q_EMIT filterRejected(checked.error().message, -1);
        return;
    }
    if (parsed->shortened)
        Q_EMIT filterRejected(filterNotice(), -1);
    else
        Q_EMIT filterAccepted();
    useFilter(parsed->root);
}

void NamedRowsPage::say(std::optional<qint64> all, int shown, const QStringList& scope,
                        const QString& emptySentence, const QList<QAction*>& emptyActions)
{
    QString sentence;
    if (all && shown == 0)
        sentence = *all == 0 ? emptySentence : tr("0 of %1 match").arg(format::number(*all));
    if (const auto empty = sentence + m_filter; sentence.isEmpty() || empty != m_shownEmpty) {
        m_shownEmpty = sentence.isEmpty() ? QString() : empty;
        m_table->setEmptyState(sentence.isEmpty() ? nullptr
                               : *all == 0        ? new EmptyState(sentence, {}, emptyActions)
                                                  : new EmptyState(sentence, m_filter, {m_clearFilter}));
    }
    m_header->setScope(all ? scope.join(u" \u00B7 "_s) : QString());
    Q_EMIT scopeChanged();
}

void NamedRowsPage::setOwnProblem(const QString& problem)
{
    m_ownProblem = problem;
    showProblem();
}

void NamedRowsPage::showProblem()
{
    const QString problem = bridge().problem();
    if (!problem.isEmpty() || !m_ownProblem.isEmpty())
        m_broken->showCause(problem.isEmpty() ? m_ownProblem : problem, tr("Try again"));
    else
        m_broken->clear();
    m_table->setStale(bridge().isCutOff() || !m_ownProblem.isEmpty());
}

void NamedRowsPage::showMenu(const QPoint& position)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(pageActions());
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

QString NamedRowsPage::scopeText() const
{
    return m_header->scope();
}

QWidget* NamedRowsPage::focusTarget()
{
    return m_table;
}

QString NamedRowsPage::currentId() const
{
    return m_table->currentRowId();
}

void NamedRowsPage::setZone(format::Zone zone)
{
    m_zone = zone;
    m_table->setZone(zone);
    showDetail();
}

void NamedRowsPage::resync()
{
    bridge().refresh();
}

void NamedRowsPage::setCurrent(bool current)
{
    if (current)
        showProblem();
}

QByteArray NamedRowsPage::saveState() const
{
    return m_table->saveColumns();
}

void NamedRowsPage::restoreState(const QByteArray& state)
{
    m_table->restoreColumns(state);
}

} // namespace redrive
