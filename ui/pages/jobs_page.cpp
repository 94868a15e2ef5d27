#include "ui/pages/jobs_page.h"

#include "ui/models/jobs_model.h"

#include <QAction>

namespace redrive {

namespace {

bool isDead(const RowValue& row)
{
    const auto& job = std::get<JobRow>(row);
    return job.status == JobStatus::Dead && !job.discarded;
}

bool waitsForTimer(const RowValue& row)
{
    const auto& job = std::get<JobRow>(row);
    return job.status == JobStatus::Pending && job.dueAtMs.has_value();
}

bool canBeCancelled(const RowValue& row)
{
    const auto& job = std::get<JobRow>(row);
    return job.status == JobStatus::Pending || job.status == JobStatus::Processing || job.deliveriesOpen > 0;
}

bool canBeEdited(const RowValue& row)
{
    return isDead(row) || std::get<JobRow>(row).status == JobStatus::Pending;
}

bool hasUndelivered(const RowValue& row)
{
    const auto& job = std::get<JobRow>(row);
    return job.deliveriesOpen + job.deliveriesDead > 0;
}

} // namespace

JobsPage::JobsPage(const PageContext& context)
    : ListPage(context, new JobsModel(*context.bridge), tr("Jobs")),
      m_sendTest(new QAction(tr("Send a test job"), this)),
      m_startDemo(new QAction(tr("Start demo traffic"), this))
{
    setVerbs({
        {ActionVerb::Requeue, u"R"_s, isDead, tr("Only dead jobs can be requeued.")},
        {ActionVerb::RunNow, u"N"_s, waitsForTimer, tr("Only jobs that wait for a timer can be run now.")},
        {ActionVerb::Postpone, u"P"_s, waitsForTimer,
         tr("Only jobs that wait for a timer can be postponed.")},
        {ActionVerb::Cancel, u"X"_s, canBeCancelled,
         tr("Only jobs that wait or run, and fan-outs with open deliveries, can be cancelled."), true},
        {ActionVerb::Edit, u"E"_s, canBeEdited, tr("Only dead and waiting jobs can be edited.")},
        {ActionVerb::Replay, {}, hasUndelivered, tr("Only fan-outs with failed deliveries can be replayed.")},
        {ActionVerb::Discard, u"D"_s, isDead, tr("Only dead jobs can be discarded.")},
    });
    connect(&bridge(), &EngineBridge::countsChanged, this, [this](const StoreCounts& counts) {
        Q_EMIT navCountChanged(u"jobs/active"_s, counts.processing, false);
    });
    connect(m_sendTest, &QAction::triggered, this, &JobsPage::sendTestJob);
    connect(m_startDemo, &QAction::triggered, this, [this] { this->context().startDemo(); });
}

NavEntry JobsPage::entry() const
{
    return {u"jobs"_s, tr("Jobs"), u"jobs"_s, u"J"_s, {}};
}

QList<NavEntry> JobsPage::children() const
{
    return {{u"jobs/active"_s, tr("Active"), {}, {}, u"status:processing"_s}};
}

QString JobsPage::filterPlaceholder() const
{
    return tr("Filter jobs: status: type: queue: error: attempt: age: id:");
}

qint64 JobsPage::total() const
{
    const auto& counts = bridge().counts();
    return counts ? counts->jobs : -1;
}

QString JobsPage::emptySentence() const
{
    return tr("Engine is running, no jobs yet.");
}

QList<QAction*> JobsPage::emptyActions()
{
    QList<QAction*> actions{m_sendTest};
    if (context().startDemo)
        actions.append(m_startDemo);
    return actions;
}

void JobsPage::sendTestJob()
{
    // A fan-out to nobody: it is accepted, run and done wherever it is sent.
    SubmitRequest request;
    request.type = u"webhook_fanout"_s;
    request.payload = R"({"eventType":"redrive.test","eventData":{"from":"console"},"endpoints":[]})";
    bridge().submit(this, std::move(request), [this](Result<QString> id) {
        Q_EMIT messageRaised(id ? tr("Test job %1 accepted").arg(format::shortId(*id))
                                : tr("The test job was refused: %1").arg(id.error().text()));
    });
}

} // namespace redrive
