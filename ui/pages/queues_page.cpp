#include "ui/pages/queues_page.h"

#include "ui/models/queues_model.h"
#include "ui/models/verb_words.h"
#include "ui/pages/action_runner.h"
#include "ui/pages/queue_detail.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"

#include <QAction>

namespace redrive {

QueuesPage::QueuesPage(PageContext context)
    : NamedRowsPage(context, queueFilterTerms(), new QueuesModel, tr("Queues")),
      m_runner(new ActionRunner(std::move(context), this)),
      m_queues(static_cast<QueuesModel*>(table()->model())), m_detail(new QueueDetail(this))
{
    build();
    connect(&bridge(), &EngineBridge::countsChanged, this, &QueuesPage::onCounts);
    connect(m_runner, &ActionRunner::reported, this, &Page::messageRaised);
    connect(m_runner, &ActionRunner::settled, &bridge(), &EngineBridge::refresh);
    onCounts();
}

void QueuesPage::build()
{
    const auto verb = [this](ActionVerb which, const QString& key, std::function<void()> run) {
        const auto words = wordsOf(which);
        return addAction(words.verb, words.icon, key, std::move(run));
    };
    const auto link = [this](const QString& text, const QString& iconName, const QString& page) {
        return addAction(text, iconName, {}, [this, page] {
            if (const auto* queue = currentQueue())
                Q_EMIT pageWanted(page, queueFilter(queue->name));
        });
    };
    m_pause = verb(ActionVerb::PauseQueue, u"P"_s, [this] { act(ActionVerb::PauseQueue); });
    m_resume = verb(ActionVerb::ResumeQueue, u"R"_s, [this] { act(ActionVerb::ResumeQueue); });
    m_purge = verb(ActionVerb::PurgeQueue, u"Shift+P"_s, [this] { askPurge(); });
    m_jobs = link(tr("Show its jobs"), u"jobs"_s, u"jobs"_s);
    m_letters = link(tr("Show its dead letters"), u"dead-letter"_s, u"dead-letters"_s);
    header()->setActions({m_pause, m_resume, m_purge});
    m_detail->pane()->setActions({m_pause, m_resume, m_purge, m_jobs, m_letters});
}

NavEntry QueuesPage::entry() const
{
    return {u"queues"_s, tr("Queues"), u"queues"_s, u"Q"_s, {}};
}

QString QueuesPage::filterPlaceholder() const
{
    return tr("Filter queues: queue: or a part of the name");
}

QList<QAction*> QueuesPage::pageActions() const
{
    return {m_pause, m_resume, m_purge, m_jobs, m_letters};
}

QWidget* QueuesPage::detail()
{
    return m_detail->pane();
}

void QueuesPage::useFilter(const FilterNode& filter)
{
    m_queues->setFilter(filter);
    showRows();
}

void QueuesPage::onCounts()
{
    if (const auto& counts = bridge().counts()) {
        m_queues->setQueues(counts->queues);
        Q_EMIT navCountChanged(entry().id, counts->queues.size(), false);
    }
    showRows();
}

void QueuesPage::showRows()
{
    table()->selectFirstRow();
    const auto& counts = bridge().counts();
    qint64 backlog = 0;
    int paused = 0;
    for (int row = 0; row < m_queues->rowCount(); ++row) {
        backlog += m_queues->queueAt(row)->backlog();
        paused += m_queues->queueAt(row)->paused ? 1 : 0;
    }
    QStringList scope{
        tr("%1 queue(s)", nullptr, m_queues->rowCount()).arg(format::number(qint64(m_queues->rowCount()))),
        tr("%1 message(s) in them", nullptr, format::plural(backlog)).arg(format::number(backlog))};
    if (paused > 0)
        scope.append(tr("%1 paused").arg(paused));
    say(counts ? std::optional<qint64>(counts->queues.size()) : std::nullopt, m_queues->rowCount(), scope,
        tr("No queues: the configuration names none."));
    showDetail();
}

void QueuesPage::showDetail()
{
    if (const auto* queue = currentQueue())
        m_detail->show(*queue, bridge().nowMs(), zone());
    else
        m_detail->showNothing();
    updateActions();
}

const QueueStats* QueuesPage::currentQueue() const
{
    const auto current = table()->currentIndex();
    return current.isValid() ? m_queues->queueAt(current.row()) : nullptr;
}

void QueuesPage::updateActions()
{
    const auto* queue = currentQueue();
    const auto set = [&](QAction* action, bool possible, const QString& otherwise) {
        allow(action, !queue ? tr("Choose a queue first.") : possible ? QString() : otherwise);
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
    m_purgeDialog =
        new PurgeDialog(bridge(), queue->name, context().environment, context().environmentColour, window());
    connect(m_purgeDialog, &PurgeDialog::decided, m_runner, &ActionRunner::act);
    m_purgeDialog->show();
}

} // namespace redrive
