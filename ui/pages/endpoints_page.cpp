#include "ui/pages/endpoints_page.h"

#include "core/domain/endpoint_status.h"
#include "ui/models/endpoint_rows.h"
#include "ui/models/queues_model.h"
#include "ui/pages/endpoint_detail.h"
#include "ui/pages/secret_rows.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"

#include <QAction>

#include <algorithm>

namespace redrive {

EndpointsPage::EndpointsPage(PageContext context)
    : NamedRowsPage(std::move(context), endpointFilterTerms(), new PlainTableModel(endpointColumns()),
                    tr("Endpoints")),
      m_model(static_cast<PlainTableModel*>(table()->model())), m_detail(new EndpointDetailView(this)),
      m_runner(new ActionRunner(NamedRowsPage::context(), this))
{
    build();
    connect(m_runner, &ActionRunner::reported, this, &Page::messageRaised);
    connect(m_detail->secrets(), &SecretRows::revokeAsked, this, &EndpointsPage::askRevoke);
    connect(m_runner, &ActionRunner::settled, this, &EndpointsPage::ask);
    connect(&bridge(), &EngineBridge::changed, this, &EndpointsPage::noteChange);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kRefreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &EndpointsPage::ask);
    ask();
}

void EndpointsPage::build()
{
    m_new = addAction(tr("New endpoint\u2026"), u"endpoints"_s, u"Shift+N"_s, [this] { openDialog({}); });
    m_edit = addAction(tr("Edit\u2026"), u"edit"_s, u"E"_s, [this] {
        if (const EndpointRow* endpoint = current())
            openDialog(*endpoint);
    });
    m_pause = addAction(tr("Pause"), u"pause"_s, u"P"_s, [this] { change(EndpointVerb::Pause); });
    m_resume = addAction(tr("Resume"), u"play"_s, u"R"_s, [this] { resume(); });
    m_test = addAction(tr("Send a test"), u"replay"_s, u"Shift+T"_s, [this] { test(); });
    m_disable = addAction(tr("Disable"), u"stop"_s, {}, [this] { change(EndpointVerb::Disable); });
    m_enable = addAction(tr("Enable"), u"check"_s, {}, [this] { change(EndpointVerb::Enable); });
    m_rotate = addAction(tr("New secret\u2026"), u"replay"_s, {}, [this] { askRotate(); });
    m_deliveries = addAction(tr("Show its deliveries"), u"deliveries"_s, {}, [this] {
        if (const EndpointRow* endpoint = current())
            Q_EMIT pageWanted(u"deliveries"_s, endpointFilter(endpoint->id));
    });
    m_missed =
        addAction(tr("Deliver what it missed\u2026"), u"deliveries"_s, u"Shift+M"_s, [this] { askMissed(); });
    m_delete = addAction(tr("Delete\u2026"), u"discard"_s, u"Shift+D"_s, [this] { askDelete(); });
    header()->setActions({m_new, m_edit, m_pause, m_resume, m_test});
    m_detail->pane()->setActions(
        {m_test, m_edit, m_pause, m_resume, m_rotate, m_enable, m_disable, m_deliveries, m_missed, m_delete});
}

NavEntry EndpointsPage::entry() const
{
    return {u"endpoints"_s, tr("Endpoints"), u"endpoints"_s, u"N"_s, {}};
}

QString EndpointsPage::filterPlaceholder() const
{
    return tr("Filter endpoints: status: endpoint: or a part of the name or URL");
}

QList<QAction*> EndpointsPage::pageActions() const
{
    return {m_new,    m_edit,    m_test,       m_pause,  m_resume, m_rotate,
            m_enable, m_disable, m_deliveries, m_missed, m_delete};
}

QWidget* EndpointsPage::detail()
{
    return m_detail->pane();
}

void EndpointsPage::resync()
{
    NamedRowsPage::resync();
    ask();
}

void EndpointsPage::setCurrent(bool current)
{
    m_isCurrent = current;
    NamedRowsPage::setCurrent(current);
    if (current)
        ask();
}

void EndpointsPage::noteChange()
{
    if (m_isCurrent && !m_refresh.isActive())
        m_refresh.start();
}

void EndpointsPage::ask()
{
    bridge().endpoints(this, m_latest.guard([this](const Result<QList<EndpointRow>>& endpoints) {
        onEndpoints(endpoints);
    }));
}

void EndpointsPage::onEndpoints(const Result<QList<EndpointRow>>& endpoints)
{
    setOwnProblem(endpoints ? QString() : endpoints.error().text());
    if (!endpoints)
        return;
    m_endpoints = *endpoints;
    m_known = true;
    const auto there = std::count_if(m_endpoints.begin(), m_endpoints.end(),
                                     [](const EndpointRow& row) { return !row.deletedAtMs; });
    Q_EMIT navCountChanged(entry().id, there, false);
    showRows();
}

void EndpointsPage::useFilter(const FilterNode& filter)
{
    m_wanted = filter;
    showRows();
}

void EndpointsPage::showRows()
{
    QList<EndpointRow> shown;
    std::copy_if(m_endpoints.begin(), m_endpoints.end(), std::back_inserter(shown),
                 [this](const EndpointRow& row) {
                     return matchesName(m_wanted, {row.id, toText(statusOf(row)), {row.url}});
                 });
    m_model->setRows(endpointRows(shown, bridge().nowMs()));
    table()->selectFirstRow();

    qint64 held = 0;
    EndpointFigures day;
    for (const EndpointRow& row : std::as_const(shown)) {
        held += row.held;
        day.add(row.lastDay);
    }
    QStringList scope{
        tr("%1 endpoint(s)", nullptr, int(shown.size())).arg(format::number(qint64(shown.size())))};
    if (day.attempts > 0)
        scope.append(tr("%1 delivered in the last day").arg(successText(day)));
    if (held > 0)
        scope.append(tr("%1 held").arg(format::number(held)));
    say(m_known ? std::optional<qint64>(m_endpoints.size()) : std::nullopt, int(shown.size()), scope,
        tr("No endpoints: events go where their payloads say."), {m_new});
    showDetail();
}

void EndpointsPage::showDetail()
{
    updateActions();
    const EndpointRow* endpoint = current();
    if (!endpoint) {
        m_latestDetail.cancel();
        m_detailId.clear();
        m_detail->showNothing();
        return;
    }
    // Another one's detail never stands beside the actions on this one.
    if (std::exchange(m_detailId, endpoint->id) != endpoint->id)
        m_detail->show({*endpoint, {}, {}}, bridge().nowMs(), zone());
    bridge().endpointDetail(this, endpoint->id,
                            m_latestDetail.guard([this](const Result<EndpointDetail>& detail) {
                                if (detail && m_detailId == detail->endpoint.id)
                                    m_detail->show(*detail, bridge().nowMs(), zone());
                            }));
}

const EndpointRow* EndpointsPage::current() const
{
    const QString id = currentId();
    const auto found = std::find_if(m_endpoints.begin(), m_endpoints.end(),
                                    [&](const EndpointRow& row) { return row.id == id; });
    return found == m_endpoints.end() ? nullptr : &*found;
}

void EndpointsPage::updateActions()
{
    const EndpointRow* endpoint = current();
    const auto set = [&](QAction* action, bool possible, const QString& otherwise) {
        allow(action, !endpoint ? tr("Choose an endpoint first.") : possible ? QString() : otherwise);
    };
    const bool there = endpoint && !endpoint->deletedAtMs;
    const bool configured = there && endpoint->origin == EndpointOrigin::Configuration;
    const bool registered = there && endpoint->version > 0;
    const QString inFile = tr("It stands in the configuration: change it there.");
    const QString deleted = tr("It is deleted.");
    const QString unregistered = tr("It is not registered: only payloads say its settings.");
    allow(m_new, {});
    set(m_edit, !configured, inFile);
    set(m_pause, there && !endpoint->pausedAtMs, there ? tr("It is paused already.") : deleted);
    const bool heldHere = there && (endpoint->pausedAtMs || endpoint->pausedUntilMs);
    const bool heldBySettings = there && isPausedBySettings(*endpoint);
    set(m_resume, heldHere || (heldBySettings && !configured),
        heldBySettings ? tr("Its settings pause it, and they stand in the configuration: take \"paused\" out "
                            "there and start again.")
                       : tr("It is not paused."));
    set(m_disable, there && !endpoint->disabledAtMs, there ? tr("It is disabled already.") : deleted);
    set(m_enable, there && endpoint->disabledAtMs, there ? tr("It is not disabled.") : deleted);
    set(m_test, registered, there ? unregistered : deleted);
    set(m_missed, registered && !heldBySettings,
        registered ? tr("Its settings pause it: nothing is delivered to it.")
        : there    ? tr("It is not registered: what it wants is not known.")
                   : deleted);
    set(m_delete, there && !configured, configured ? inFile : deleted);
    set(m_rotate, registered && !configured,
        configured ? tr("Its secrets stand in the configuration: name the new one first there.")
        : there    ? unregistered
                   : deleted);
    m_detail->secrets()->setObstacle(configured
                                         ? tr("Its secrets stand in the configuration: take it out there.")
                                         : m_rotate->statusTip());
    m_deliveries->setEnabled(endpoint);
    m_edit->setText(endpoint && !registered ? tr("Register\u2026") : tr("Edit\u2026"));
}

void EndpointsPage::change(EndpointVerb verb)
{
    if (const EndpointRow* endpoint = current()) {
        EndpointChange asked;
        asked.verb = verb;
        asked.id = endpoint->id;
        change(asked);
    }
}

// Settings that pause it are taken up by a new version: that is said, the rest is seen in its row.
void EndpointsPage::resume()
{
    const EndpointRow* endpoint = current();
    if (!endpoint)
        return;
    EndpointChange asked;
    asked.verb = EndpointVerb::Resume;
    asked.id = endpoint->id;
    change(asked, [this, id = endpoint->id, before = endpoint->version](const auto& changed) {
        if (!changed)
            Q_EMIT messageRaised(changed.error().text());
        else if (changed->version > before)
            Q_EMIT messageRaised(
                tr("%1 is resumed by version %2 of its settings").arg(cellText(id)).arg(changed->version));
    });
}

void EndpointsPage::change(EndpointChange asked, const Answered& answered)
{
    asked.actor = context().actor;
    asked.source = u"console"_s;
    bridge().changeEndpoint(this, asked, [this, answered](const Result<EndpointChanged>& changed) {
        ask();
        if (answered)
            answered(changed);
        else if (!changed)
            Q_EMIT messageRaised(changed.error().text());
    });
}

template <typename Dialog>
void EndpointsPage::changeFor(Dialog* dialog)
{
    connect(dialog, &Dialog::decided, this, [this, dialog](const EndpointChange& asked) {
        change(asked, [this, asking = QPointer(dialog), id = asked.id](const auto& changed) {
            if (auto* open = asking.data(); open && open->isVisible())
                open->answered(changed);
            else if (!changed)
                Q_EMIT messageRaised(changed.error().text());
            else if (!changed->secretName.isEmpty())
                Q_EMIT messageRaised(
                    tr("%1 has the new secret %2").arg(cellText(id), cellText(changed->secretName)));
        });
    });
}

void EndpointsPage::openDialog(const EndpointRow& known)
{
    if (m_dialog)
        m_dialog->close();
    EndpointRow base = known;
    if (base.deletedAtMs) // it is registered anew
        base.version = 0;
    m_dialog = new EndpointDialog(base, window());
    changeFor(m_dialog.data());
    m_dialog->show();
}

void EndpointsPage::askRotate()
{
    const EndpointRow* endpoint = current();
    if (!endpoint)
        return;
    if (m_rotateDialog)
        m_rotateDialog->close();
    m_rotateDialog = new RotateDialog(*endpoint, window());
    changeFor(m_rotateDialog.data());
    m_rotateDialog->show();
}

void EndpointsPage::askRevoke(const QString& secretName)
{
    const EndpointRow* endpoint = current();
    if (!endpoint)
        return;
    if (m_revokeDialog)
        m_revokeDialog->close();
    const QStringList others = secretsBeside(*endpoint, secretName, bridge().nowMs());
    m_revokeDialog = new RevokeDialog(endpoint->id, secretName, others, context().environment,
                                      context().environmentColour, window());
    changeFor(m_revokeDialog.data());
    m_revokeDialog->show();
}

void EndpointsPage::askDelete()
{
    const EndpointRow* endpoint = current();
    if (!endpoint)
        return;
    if (m_deleteDialog)
        m_deleteDialog->close();
    m_deleteDialog =
        new EndpointDeleteDialog(*endpoint, context().environment, context().environmentColour, window());
    connect(m_deleteDialog, &EndpointDeleteDialog::decided, this,
            [this](const EndpointChange& asked) { change(asked); });
    m_deleteDialog->show();
}

void EndpointsPage::askMissed()
{
    const EndpointRow* endpoint = current();
    if (!endpoint)
        return;
    ActionChoice choice;
    choice.verb = ActionVerb::ReplayMissing;
    choice.list = ListKind::Deliveries;
    choice.endpointId = endpoint->id;
    m_runner->ask(choice);
}

void EndpointsPage::test()
{
    const EndpointRow* endpoint = current();
    if (!endpoint)
        return;
    const QString name = cellText(endpoint->id);
    Q_EMIT messageRaised(tr("Sending a test to %1\u2026").arg(name));
    bridge().testEndpoint(this, endpoint->id, [this, name](const Result<DeliveryAttempt>& attempt) {
        if (!attempt)
            Q_EMIT messageRaised(tr("No test of %1: %2").arg(name, cellText(attempt.error().text())));
        else if (attempt->outcome == u"delivered")
            Q_EMIT messageRaised(tr("%1 took the test: %2 after %3")
                                     .arg(name, QString::number(attempt->statusCode.value_or(0)),
                                          format::elapsed(attempt->totalUs / 1000)));
        else
            Q_EMIT messageRaised(tr("%1 did not take the test: %2").arg(name, cellText(attempt->error)));
    });
}

} // namespace redrive
