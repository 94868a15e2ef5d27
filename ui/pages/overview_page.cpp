#include "ui/pages/overview_page.h"

#include "ui/models/queues_model.h"
#include "ui/models/state_words.h"
#include "ui/models/verb_words.h"
#include "ui/pages/action_runner.h"
#include "ui/pages/overview_tiles.h"
#include "ui/pages/throughput_strip.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"

#include <QAction>
#include <QMenu>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace redrive {

namespace {

constexpr qsizetype kSparkValues = 60;

void keep(QList<double>& values, double value)
{
    values.append(value);
    if (values.size() > kSparkValues)
        values.removeFirst();
}

// What waits for the breakers that are open, or what is open at all.
QString heldUpFilter(const std::optional<StoreCounts>& counts)
{
    constexpr qsizetype kMostNamed = 10;
    const auto open = u"status:pending OR status:sending OR status:failed OR status:held"_s;
    if (!counts || counts->breakers.isEmpty())
        return open;
    QStringList endpoints;
    for (const OpenBreaker& breaker : counts->breakers.first(std::min(kMostNamed, counts->breakers.size())))
        endpoints.append(endpointFilter(breaker.endpointId));
    return u"(%1) (%2)"_s.arg(endpoints.join(u" OR "_s), open);
}

} // namespace

OverviewPage::OverviewPage(PageContext context)
    : m_context(std::move(context)), m_runner(new ActionRunner(m_context, this)),
      m_queues(new QueuesModel(this))
{
    build();
    connect(m_context.bridge, &EngineBridge::countsChanged, this, &OverviewPage::onCounts);
    connect(m_context.bridge, &EngineBridge::healthChanged, this, &OverviewPage::onHealth);
    connect(m_context.bridge, &EngineBridge::connectionProblem, this, &OverviewPage::onProblem);
    connect(m_runner, &ActionRunner::reported, this, &Page::messageRaised);
    connect(m_runner, &ActionRunner::settled, m_context.bridge, &EngineBridge::refresh);
    if (const auto& counts = m_context.bridge->counts())
        onCounts(*counts);
    onHealth(m_context.bridge->health());
}

void OverviewPage::build()
{
    m_broken = new BrokenBar(this);
    m_header = new PageHeader(tr("Overview"), this);
    m_tiles = new TileBand(kOverviewTiles, this);
    m_strip = new ThroughputStrip(this);
    m_table = new RowTable(tr("Queues"), this);
    m_table->setClock(&m_context.bridge->clock());
    m_table->setModel(m_queues);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->showSort(-1, Qt::AscendingOrder);

    const auto add = [this](const QString& text, const QString& iconName, std::function<void()> run) {
        auto* action = new QAction(text, this);
        action->setIcon(icon(iconName));
        connect(action, &QAction::triggered, this, std::move(run));
        return action;
    };
    m_pause = add(wordsOf(ActionVerb::PauseQueue).verb, u"pause"_s, [this] { act(ActionVerb::PauseQueue); });
    m_resume =
        add(wordsOf(ActionVerb::ResumeQueue).verb, u"play"_s, [this] { act(ActionVerb::ResumeQueue); });
    m_show = add(tr("Show its jobs"), u"jobs"_s, [this] { openQueue(); });
    m_header->setActions({m_pause, m_resume, m_show});

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (auto* part : std::initializer_list<QWidget*>{m_broken, m_header, m_tiles, m_strip})
        column->addWidget(part);
    column->addWidget(m_table, 1);

    connect(m_broken, &BrokenBar::buttonPressed, this, &OverviewPage::resync);
    connect(m_tiles, &TileBand::tileChosen, this, &OverviewPage::openTile);
    connect(m_table, &RowTable::selectionCountChanged, this, &OverviewPage::updateActions);
    connect(m_table, &RowTable::rowActivated, this, &OverviewPage::openQueue);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({m_pause, m_resume, m_show});
        menu->popup(m_table->viewport()->mapToGlobal(position));
    });
}

NavEntry OverviewPage::entry() const
{
    return {u"overview"_s, tr("Overview"), u"overview"_s, u"O"_s, {}};
}

QList<QAction*> OverviewPage::pageActions() const
{
    return {m_pause, m_resume, m_show};
}

QString OverviewPage::scopeText() const
{
    return m_header->scope();
}

QWidget* OverviewPage::focusTarget()
{
    return m_table;
}

QString OverviewPage::currentId() const
{
    return m_table->currentRowId();
}

void OverviewPage::setZone(format::Zone zone)
{
    m_zone = zone;
    m_table->setZone(zone);
    m_strip->setZone(zone);
    onHealth(m_context.bridge->health());
}

void OverviewPage::resync()
{
    m_context.bridge->refresh();
}

QByteArray OverviewPage::saveState() const
{
    return m_table->saveColumns();
}

void OverviewPage::restoreState(const QByteArray& state)
{
    m_table->restoreColumns(state);
}

void OverviewPage::onCounts(const StoreCounts& counts)
{
    m_queues->setQueues(counts.queues);
    m_table->selectFirstRow();
    keep(m_backlogs, double(backlogOf(counts)));
    updateActions();
    showTiles();
}

void OverviewPage::onHealth(const EngineHealth& health)
{
    const auto& counts = m_context.bridge->counts();
    m_history.take(health.rates, m_context.bridge->nowMs(), counts ? backlogOf(*counts) : 0);
    m_peak = qMax(m_peak, health.rates.donePerSecond);
    m_strip->setHistory(m_history);
    onProblem(m_context.bridge->problem());
    updateActions();
    showTiles();
}

void OverviewPage::onProblem(const QString& text)
{
    if (text.isEmpty())
        m_broken->clear();
    else
        m_broken->showCause(text, tr("Try again"));
    const bool old = m_context.bridge->isCutOff();
    if (!old)
        m_oldSinceMs = 0;
    else if (m_oldSinceMs == 0)
        m_oldSinceMs = m_context.bridge->nowMs();
    m_table->setStale(old);
    showTime();
}

void OverviewPage::showTime()
{
    static const QRegularExpression fraction(u"\\.\\d+"_s);
    const qint64 now = m_context.bridge->nowMs();
    auto words = format::fullTime(m_oldSinceMs > 0 ? m_oldSinceMs : now, m_zone).replace(fraction, QString());
    m_header->setScope(m_oldSinceMs > 0 ? tr("as of %1").arg(words) : words, false);
}

void OverviewPage::showTiles()
{
    OverviewFigures figures;
    const auto& counts = m_context.bridge->counts();
    figures.counts = counts ? &*counts : nullptr;
    figures.rates = m_context.bridge->health().rates;
    figures.peakPerSecond = m_peak;
    figures.nowMs = m_context.bridge->nowMs();
    figures.backlogs = m_backlogs;
    for (const auto& step : m_history.steps()) {
        figures.throughput.append(step.done);
        figures.deads.append(step.dead);
    }
    if (!figures.throughput.isEmpty())
        figures.throughput.removeLast(); // the step under way is not whole yet
    for (int tile = 0; tile < kOverviewTiles; ++tile)
        m_tiles->setTile(tile, overviewTile(OverviewTile(tile), figures));
}

void OverviewPage::openTile(int tile)
{
    switch (OverviewTile(tile)) {
    case BacklogTile:
        Q_EMIT pageWanted(u"jobs"_s, u"status:pending OR status:processing"_s);
        break;
    case ThroughputTile:
        Q_EMIT pageWanted(u"jobs"_s, u"status:done"_s);
        break;
    case OldestTile:
        Q_EMIT pageWanted(u"jobs"_s, u"status:pending"_s);
        break;
    case DeadTile:
        Q_EMIT pageWanted(u"dead-letters"_s, {});
        break;
    case RetriesTile:
        Q_EMIT pageWanted(u"timers"_s, u"next:<1h"_s);
        break;
    default:
        Q_EMIT pageWanted(u"deliveries"_s, heldUpFilter(m_context.bridge->counts()));
        break;
    }
}

void OverviewPage::openQueue()
{
    if (const auto* queue = currentQueue())
        Q_EMIT pageWanted(u"jobs"_s, queueFilter(queue->name));
}

const QueueStats* OverviewPage::currentQueue() const
{
    const auto current = m_table->currentIndex();
    return current.isValid() ? m_queues->queueAt(current.row()) : nullptr;
}

void OverviewPage::updateActions()
{
    const auto* queue = currentQueue();
    const bool running = m_context.bridge->health().running;
    const auto set = [&](QAction* action, const QString& word, bool possible, const QString& otherwise) {
        action->setText(queue ? word + u' ' + cellText(queue->name) : word);
        action->setEnabled(queue && running && possible && !m_context.readOnly);
        action->setStatusTip(m_context.readOnly ? tr("This profile is read-only.")
                             : !queue           ? tr("Choose a queue first.")
                             : !running         ? tr("The engine is not running.")
                                                : otherwise);
    };
    set(m_pause, wordsOf(ActionVerb::PauseQueue).verb, queue && !queue->paused, tr("It is paused already."));
    set(m_resume, wordsOf(ActionVerb::ResumeQueue).verb, queue && queue->paused, tr("It is not paused."));
    m_show->setEnabled(queue);
}

void OverviewPage::act(ActionVerb verb)
{
    const auto* queue = currentQueue();
    if (!queue)
        return;
    ActionRequest request;
    request.verb = verb;
    request.scope.queue = queue->name;
    m_runner->act(std::move(request));
}

} // namespace redrive
