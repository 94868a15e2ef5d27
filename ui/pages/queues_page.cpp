#include "ui/pages/queues_page.h"

#include "ui/models/queues_model.h"
#include "ui/models/state_words.h"
#include "ui/models/verb_words.h"
#include "ui/pages/action_runner.h"
#include "ui/pages/queue_detail.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"

#include <QAction>
#include <QMenu>
#include <QVBoxLayout>

namespace redrive {

QueuesPage::QueuesPage(PageContext context)
    : m_context(std::move(context)), m_runner(new ActionRunner(m_context, this)),
      m_queues(new QueuesModel(this)), m_detail(new QueueDetail(this))
{
    build();
    auto* bridge = m_context.bridge;
    connect(bridge, &EngineBridge::countsChanged, this, &QueuesPage::onCounts);
    connect(bridge, &EngineBridge::healthChanged, this, &QueuesPage::updateActions);
    connect(bridge, &EngineBridge::connectionProblem, this, &QueuesPage::onProblem);
    connect(m_runner, &ActionRunner::reported, this, &Page::messageRaised);
    connect(m_runner, &ActionRunner::settled, bridge, &EngineBridge::refresh);
    onCounts();
}

QAction* QueuesPage::addAction(const QString& text, const QString& iconName, const QString& key,
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

void QueuesPage::build()
{
    m_broken = new BrokenBar(this);
    m_header = new PageHeader(tr("Queues"), this);
    m_table = new RowTable(tr("Queues"), this);
    m_table->setClock(&m_context.bridge->clock());
    m_table->setModel(m_queues);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->showSort(-1, Qt::AscendingOrder);

    const auto verb = [this](ActionVerb which, const QString& key, std::function<void()> run) {
        const auto words = wordsOf(which);
        return addAction(words.verb, words.icon, key, std::move(run));
    };
    m_pause = verb(ActionVerb::PauseQueue, u"P"_s, [this] { act(ActionVerb::PauseQueue); });
    m_resume = verb(ActionVerb::ResumeQueue, u"R"_s, [this] { act(ActionVerb::ResumeQueue); });
    m_purge = verb(ActionVerb::PurgeQueue, u"Shift+P"_s, [this] { askPurge(); });
    m_jobs = addAction(tr("Show its jobs"), u"jobs"_s, {}, [this] { openJobs(); });
    m_letters = addAction(tr("Show its dead letters"), u"dead-letter"_s, {}, [this] { openLetters(); });
    m_clearFilter = new QAction(tr("Clear filter"), this);
    connect(m_clearFilter, &QAction::triggered, this, [this] {
        setFilter({});
        Q_EMIT filterChanged({});
    });
    m_header->setActions({m_pause, m_resume, m_purge});
    m_detail->pane()->setActions({m_pause, m_resume, m_purge, m_jobs, m_letters});

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_broken);
    column->addWidget(m_header);
    column->addWidget(m_table, 1);

    connect(m_broken, &BrokenBar::buttonPressed, this, &QueuesPage::resync);
    connect(m_table, &RowTable::currentRowChanged, this, &QueuesPage::showDetail);
    connect(m_table, &RowTable::selectionCountChanged, this, &QueuesPage::updateActions);
    connect(m_table, &RowTable::rowActivated, this, &Page::detailWanted);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions(pageActions());
        menu->popup(m_table->viewport()->mapToGlobal(position));
    });
}

NavEntry QueuesPage::entry() const
{
    return {u"queues"_s, tr("Queues"), u"queues"_s, u"Q"_s, {}};
}

QString QueuesPage::filterPlaceholder() const
{
    return tr("Filter queues: queue: or a part of the name");
}

void QueuesPage::setFilter(const QString& filter)
{
    m_filter = filter;
    if (const auto problem = m_queues->setFilter(filter); !problem.message.isEmpty())
        Q_EMIT filterRejected(problem.message, int(problem.position));
    else
        Q_EMIT filterAccepted();
    showRows();
}

QString QueuesPage::scopeText() const
{
    return m_header->scope();
}

QList<QAction*> QueuesPage::pageActions() const
{
    return {m_pause, m_resume, m_purge, m_jobs, m_letters};
}

QWidget* QueuesPage::detail()
{
    return m_detail->pane();
}

QWidget* QueuesPage::focusTarget()
{
    return m_table;
}

QString QueuesPage::currentId() const
{
    return m_table->currentRowId();
}

void QueuesPage::setZone(format::Zone zone)
{
    m_zone = zone;
    m_table->setZone(zone);
    showDetail();
}

void QueuesPage::resync()
{
    m_context.bridge->refresh();
}

void QueuesPage::setCurrent(bool current)
{
    if (current)
        onProblem(m_context.bridge->problem());
}

QByteArray QueuesPage::saveState() const
{
    return m_table->saveColumns();
}

void QueuesPage::restoreState(const QByteArray& state)
{
    m_table->restoreColumns(state);
}

void QueuesPage::onCounts()
{
    if (const auto& counts = m_context.bridge->counts()) {
        m_queues->setQueues(counts->queues);
        Q_EMIT navCountChanged(entry().id, counts->queues.size(), false);
    }
    showRows();
}

void QueuesPage::onProblem(const QString& text)
{
    if (text.isEmpty())
        m_broken->clear();
    else
        m_broken->showCause(text, tr("Try again"));
    m_table->setStale(m_context.bridge->isCutOff());
    updateActions();
}

void QueuesPage::showRows()
{
    m_table->selectFirstRow();
    const auto& counts = m_context.bridge->counts();
    QString sentence;
    if (counts && m_queues->rowCount() == 0)
        sentence = counts->queues.isEmpty()
                       ? tr("No queues: the configuration names none.")
                       : tr("0 of %1 match").arg(format::number(qint64(counts->queues.size())));
    if (const auto shown = sentence + m_filter; sentence.isEmpty() || shown != m_shownEmpty) {
        m_shownEmpty = sentence.isEmpty() ? QString() : shown;
        const bool filtered = counts && !counts->queues.isEmpty();
        m_table->setEmptyState(sentence.isEmpty() ? nullptr
                               : filtered         ? new EmptyState(sentence, m_filter, {m_clearFilter})
                                                  : new EmptyState(sentence, {}, {}));
    }
    qint64 backlog = 0;
    int paused = 0;
    for (int row = 0; row < m_queues->rowCount(); ++row) {
        backlog += m_queues->queueAt(row)->backlog();
        paused += m_queues->queueAt(row)->paused ? 1 : 0;
    }
    QStringList parts{
        tr("%1 queue(s)", nullptr, m_queues->rowCount()).arg(format::number(qint64(m_queues->rowCount()))),
        tr("%1 message(s) in them", nullptr, int(qMin<qint64>(backlog, 1'000'000)))
            .arg(format::number(backlog))};
    if (paused > 0)
        parts.append(tr("%1 paused").arg(paused));
    m_header->setScope(counts ? parts.join(u" \u00B7 "_s) : QString());
    Q_EMIT scopeChanged();
    showDetail();
}

void QueuesPage::showDetail()
{
    if (const auto* queue = currentQueue())
        m_detail->show(*queue, m_context.bridge->nowMs(), m_zone);
    else
        m_detail->showNothing();
    updateActions();
}

const QueueStats* QueuesPage::currentQueue() const
{
    const auto current = m_table->currentIndex();
    return current.isValid() ? m_queues->queueAt(current.row()) : nullptr;
}

void QueuesPage::updateActions()
{
    const auto* queue = currentQueue();
    const bool running = m_context.bridge->health().running;
    const auto set = [&](QAction* action, bool possible, const QString& otherwise) {
        action->setEnabled(queue && running && possible && !m_context.readOnly);
        action->setStatusTip(m_context.readOnly ? tr("This profile is read-only.")
                             : !queue           ? tr("Choose a queue first.")
                             : !running         ? tr("The engine is not running.")
                             : possible         ? QString()
                                                : otherwise);
    };
    set(m_pause, queue && !queue->paused, tr("It is paused already."));
    set(m_resume, queue && queue->paused, tr("It is not paused."));
    set(m_purge, queue && queue->waiting + queue->delayed > 0, tr("Nothing waits there."));
    m_jobs->setEnabled(queue);
    m_letters->setEnabled(queue && queue->deadLetters > 0);
}

void QueuesPage::act(ActionVerb verb)
{
    const auto* queue = currentQueue();
    if (!queue)
        return;
    ActionRequest request;
    request.verb = verb;
    request.scope.queue = queue->name;
    m_runner->act(std::move(request));
}

void QueuesPage::askPurge()
{
    const auto* queue = currentQueue();
    if (!queue)
        return;
    if (m_purgeDialog)
        m_purgeDialog->close();
    m_purgeDialog = new PurgeDialog(*m_context.bridge, queue->name, m_context.environment,
                                    m_context.environmentColour, window());
    connect(m_purgeDialog, &PurgeDialog::decided, m_runner, &ActionRunner::act);
    m_purgeDialog->show();
}

void QueuesPage::openJobs()
{
    if (const auto* queue = currentQueue())
        Q_EMIT pageWanted(u"jobs"_s, queueFilter(queue->name));
}

void QueuesPage::openLetters()
{
    if (const auto* queue = currentQueue())
        Q_EMIT pageWanted(u"dead-letters"_s, queueFilter(queue->name));
}

} // namespace redrive
