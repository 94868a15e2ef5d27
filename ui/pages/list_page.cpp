#include "ui/pages/list_page.h"

#include "core/domain/filter.h"
#include "ui/models/allow_line.h"
#include "ui/models/verb_words.h"
#include "ui/pages/loading_rows.h"
#include "ui/pages/row_detail.h"
#include "ui/pages/selection_keeper.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"

#include <QAction>
#include <QMenu>
#include <QScrollBar>
#include <QVBoxLayout>

namespace redrive {

ListPage::ListPage(PageContext context, PagedTableModel* model, const QString& title, ListDetail* detail)
    : m_context(std::move(context)), m_model(model)
{
    m_model->setParent(this);
    m_model->setHeld(false);
    build(title, detail);
    addPlainActions();
    connectModel();
    connectTable();
    m_loading.setSingleShot(true);
    m_loading.setInterval(kLoadingAfterMs);
    connect(&m_loading, &QTimer::timeout, this, [this] {
        m_slow = true;
        updateEmpty();
    });
    m_searching.setSingleShot(true);
    m_searching.setInterval(kLoadingAfterMs);
    connect(&m_searching, &QTimer::timeout, this, [this] {
        m_longSearch = true;
        refreshState();
    });
}

void ListPage::build(const QString& title, ListDetail* detail)
{
    m_header = new PageHeader(title, this);
    m_broken = new BrokenBar(this);
    m_table = new RowTable(title, this);
    m_table->setClock(&bridge().clock());
    m_table->setModel(m_model);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->showSort(m_model->sortColumn(), m_model->sortOrder());
    m_newRows = new NewRowsBar(this);
    m_keeper = new SelectionKeeper(m_table, m_model);
    m_detail = detail ? detail : new RowDetail(m_context, this);
    m_detail->setParent(this);
    m_detail->pane()->setParent(this);
    m_runner = new ActionRunner(m_context, this);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_broken);
    column->addWidget(m_header);
    column->addWidget(m_table, 1);
    column->addWidget(m_newRows);
}

QAction* ListPage::addTableAction(const QString& text, const QString& key, std::function<void()> run)
{
    auto* action = new QAction(text, this);
    if (!key.isEmpty())
        action->setShortcut(QKeySequence(key));
    connect(action, &QAction::triggered, this, std::move(run));
    m_table->addLetterAction(action);
    m_actions.append(action);
    return action;
}

void ListPage::addPlainActions()
{
    m_follow = addTableAction(tr("Follow the top"), u"F"_s, [this] { setFollowing(!m_following); });
    m_follow->setCheckable(true);
    m_merge = addTableAction(tr("Merge new rows"), u"M"_s, [this] { m_model->merge(); });
    m_curl = addTableAction(tr("Copy as curl"), u"Ctrl+Shift+C"_s, [this] { copyCurl(); });
    m_curl->setIcon(icon(u"copy"_s));
    m_curl->setVisible(m_detail->hasRequests());
    m_json = addTableAction(tr("Copy as JSON"), {}, [this] { copyJson(); });
    m_json->setIcon(icon(u"copy"_s));
    m_compare =
        addTableAction(tr("Compare attempts\u2026"), u"C"_s, [this] { m_detail->compareAttempts(window()); });
    m_compare->setEnabled(false);
    m_compare->setVisible(m_detail->hasRequests());
    m_export = addTableAction(tr("Export\u2026"), u"Ctrl+E"_s, [this] { askExport(); });
    m_export->setIcon(icon(u"export"_s));
    m_allow = addTableAction(tr("Copy the line for %1").arg(allowLineFor({}, bridge().facts()).file), {},
                             [this] { copyAllowLine(); });
    m_allow->setVisible(false);
    connect(m_detail, &ListDetail::attemptsChanged, this, [this] {
        m_compare->setEnabled(m_detail->canCompare());
        m_allow->setVisible(!m_detail->allowLine().isEmpty());
    });
    addTableAction(tr("Clear the selection"), u"Esc"_s, [this] { clearSelection(); });
    m_stop = new QAction(tr("Stop"), this);
    m_stop->setStatusTip(tr("End the search; what was found stays."));
    m_stop->setVisible(false);
    connect(m_stop, &QAction::triggered, m_model, &PagedTableModel::stopSearch);
    m_header->addWidget(makeActionButton(m_stop, true, m_header));
    m_clearFilter = new QAction(tr("Clear filter"), this);
    connect(m_clearFilter, &QAction::triggered, this, [this] {
        setFilter({});
        Q_EMIT filterChanged({});
        m_table->setFocus();
    });
}

void ListPage::connectModel()
{
    connect(m_model, &PagedTableModel::stateChanged, this, &ListPage::onModelState);
    connect(m_model, &PagedTableModel::rowsFetched, this, [this] {
        updateVerbs();
        showDetailOfCurrent();
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        updateVisibleRows();
        onSelection();
    });
    connect(m_keeper, &SelectionKeeper::restored, this, &ListPage::onSelection);
    connect(&bridge(), &EngineBridge::countsChanged, this, &ListPage::onCounts);
    connect(&bridge(), &EngineBridge::connectionProblem, this, &ListPage::onProblem);
    connect(m_runner, &ActionRunner::reported, this, &Page::messageRaised);
    connect(m_runner, &ActionRunner::settled, m_model, &PagedTableModel::dropGone);
}

void ListPage::connectTable()
{
    connect(m_table, &RowTable::scrolled, this, [this] {
        if (m_following && m_table->verticalScrollBar()->value() > 0)
            setFollowing(false);
        updateVisibleRows();
        updateHeld();
    });
    connect(m_table, &RowTable::selectionCountChanged, this, &ListPage::onSelection);
    connect(m_table, &RowTable::currentRowChanged, this, &ListPage::showDetailOfCurrent);
    connect(m_table, &RowTable::rowActivated, this, [this] {
        showDetailOfCurrent();
        Q_EMIT detailWanted();
    });
    connect(m_table, &QWidget::customContextMenuRequested, this, &ListPage::showMenu);
    connect(m_newRows, &NewRowsBar::mergeRequested, m_model, &PagedTableModel::merge);
    connect(m_newRows, &NewRowsBar::followRequested, this, [this] { setFollowing(true); });
    connect(m_broken, &BrokenBar::buttonPressed, this, &ListPage::resync);
}

void ListPage::setFilter(const QString& filter)
{
    m_filter = filter;
    const auto parsed = parseFilter(filter);
    if (!parsed) {
        Q_EMIT filterRejected(parsed.error().message, int(parsed.error().position));
        return;
    }
    if (parsed->shortened)
        Q_EMIT filterRejected(filterNotice(), -1);
    else
        Q_EMIT filterAccepted();
    m_model->setFilter(filter.trimmed());
}

void ListPage::addAboveTable(QWidget* widget)
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->insertWidget(column->indexOf(m_table), widget);
}

void ListPage::addAfterExport(QAction* action)
{
    m_actions.insert(m_actions.indexOf(m_export) + 1, action);
}

QWidget* ListPage::detail()
{
    return m_detail->pane();
}

QWidget* ListPage::focusTarget()
{
    return m_table;
}

QString ListPage::currentId() const
{
    return m_table->currentRowId();
}

void ListPage::setZone(format::Zone zone)
{
    m_table->setZone(zone);
    m_detail->setZone(zone);
    onModelState();
}

void ListPage::resync()
{
    bridge().refresh();
    if (m_model->phase() == ListPhase::Failed)
        m_model->reload();
}

void ListPage::setCurrent(bool current)
{
    m_isCurrent = current;
    m_detail->setActive(current);
    m_model->setActive(current);
    if (current) {
        updateVisibleRows();
        onProblem(bridge().problem());
    }
}

QByteArray ListPage::saveState() const
{
    return m_table->saveColumns();
}

void ListPage::restoreState(const QByteArray& state)
{
    m_table->restoreColumns(state);
}

void ListPage::updateVisibleRows()
{
    const int first = m_table->rowAt(0);
    const int last = m_table->rowAt(m_table->viewport()->height() - 1);
    m_model->setVisibleRows(qMax(0, first), last >= 0 ? last : m_model->rowCount() - 1);
}

void ListPage::updateHeld()
{
    const bool atTop = m_table->verticalScrollBar()->value() == 0;
    m_model->setHeld(!m_following && (!atTop || m_table->selectedRowCount() > 0));
}

void ListPage::setFollowing(bool following)
{
    m_following = following;
    m_follow->setChecked(following);
    if (following) {
        m_table->scrollToTop();
        m_model->merge();
    }
    updateHeld();
    onModelState();
}

void ListPage::onModelState()
{
    const bool waiting = m_model->phase() == ListPhase::Waiting;
    if (waiting && !m_loading.isActive() && !m_slow)
        m_loading.start();
    if (!waiting) {
        m_loading.stop();
        m_slow = false;
    }
    if (m_model->phase() == ListPhase::Failed && m_model->error().kind == ErrorKind::InvalidInput)
        Q_EMIT filterRejected(m_model->error().message, -1);
    m_newRows->setNewRows(m_model->newRows(),
                          format::clockTime(m_model->newSinceMs(), m_table->zone(), bridge().nowMs()));
    m_merge->setEnabled(m_model->newRows() > 0);
    m_table->showSort(m_model->sortColumn(), m_model->sortOrder());
    if (m_model->phase() == ListPhase::Complete)
        showDetailOfCurrent();
    updateVisibleRows();
    refreshState();
    showCause();
}

void ListPage::onSelection()
{
    updateHeld();
    refreshState();
}

void ListPage::refreshState()
{
    updateSearch();
    m_header->setScope(headingScope());
    updateVerbs();
    updateEmpty();
    Q_EMIT scopeChanged();
}

void ListPage::updateSearch()
{
    const auto phase = m_model->phase();
    const bool searching =
        !m_model->filter().isEmpty() && (phase == ListPhase::Waiting || phase == ListPhase::Filling);
    if (!searching) {
        m_searching.stop();
        m_longSearch = false;
    } else if (!m_longSearch && !m_searching.isActive()) {
        m_searching.start();
    }
    m_stop->setVisible(m_longSearch);
}

void ListPage::onCounts()
{
    const qint64 before = std::exchange(m_navCount, navCount());
    Q_EMIT navCountChanged(entry().id, m_navCount, before >= 0 && m_navCount > before);
    refreshState();
}

void ListPage::onProblem(const QString& text)
{
    m_problem = text;
    const bool old = bridge().isCutOff();
    if (!old)
        m_oldSinceMs = 0;
    else if (m_oldSinceMs == 0)
        m_oldSinceMs = bridge().nowMs();
    m_table->setStale(old);
    showCause();
    refreshState();
    if (text.isEmpty() && m_model->phase() == ListPhase::Failed)
        m_model->reload();
}

void ListPage::showCause()
{
    const auto& error = m_model->error();
    if (!m_problem.isEmpty())
        m_broken->showCause(m_problem, tr("Try again"));
    else if (m_model->phase() == ListPhase::Failed && error.kind != ErrorKind::InvalidInput)
        m_broken->showCause(error.text(), tr("Try again"));
    else
        m_broken->clear();
}

void ListPage::updateEmpty()
{
    QString sentence;
    const bool empty = m_model->rowCount() == 0;
    if (empty && m_slow)
        sentence = u"\u2026"_s;
    else if (empty && m_model->isStopped())
        sentence = tr("Nothing was found before the search was stopped.");
    else if (empty && m_model->phase() == ListPhase::Complete)
        sentence = m_model->filter().isEmpty()
                       ? emptySentence()
                       : tr("0 of %1 match").arg(total() < 0 ? format::unknown() : format::number(total()));
    const auto shown = sentence.isEmpty()
                           ? QString()
                           : sentence + (m_model->filter().isEmpty() ? emptyCommand() : m_model->filter());
    if (shown == m_shownEmpty)
        return;
    m_shownEmpty = shown;
    if (sentence.isEmpty())
        m_table->setEmptyState(nullptr);
    else if (m_slow)
        m_table->setEmptyState(new LoadingRows(m_table));
    else if (m_model->filter().isEmpty())
        m_table->setEmptyState(new EmptyState(sentence, emptyCommand(), emptyActions(), true));
    else
        m_table->setEmptyState(new EmptyState(sentence, m_model->filter(), {m_clearFilter}));
}

void ListPage::clearSelection()
{
    m_table->clearSelection();
}

QString ListPage::shownId() const
{
    return m_detail->shownId();
}

void ListPage::showDetailOf(const RowValue& row)
{
    m_detail->show(row);
}

void ListPage::showNoDetail()
{
    m_detail->showNothing();
}

void ListPage::showDetailOfCurrent()
{
    if (otherSelection())
        return;
    const auto current = m_table->currentIndex();
    if (const auto* row = current.isValid() ? m_model->rowAt(current.row()) : nullptr)
        m_detail->show(*row);
    else if (!current.isValid())
        m_detail->showNothing();
}

} // namespace redrive
