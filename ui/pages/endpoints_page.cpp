#include "ui/pages/endpoints_page.h"

#include "ui/models/endpoint_rows.h"
#include "ui/models/queues_model.h"
#include "ui/pages/endpoint_detail.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"

#include <QAction>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace redrive {

EndpointsPage::EndpointsPage(PageContext context)
    : m_context(std::move(context)), m_model(new PlainTableModel(endpointColumns(), this)),
      m_detail(new EndpointDetailView(this))
{
    build();
    auto* bridge = m_context.bridge;
    connect(bridge, &EngineBridge::changed, this, &EndpointsPage::noteChange);
    connect(bridge, &EngineBridge::healthChanged, this, &EndpointsPage::updateActions);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kRefreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &EndpointsPage::ask);
    ask();
}

QAction* EndpointsPage::addAction(const QString& text, const QString& iconName, const QString& key,
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

void EndpointsPage::build()
{
    m_broken = new BrokenBar(this);
    m_header = new PageHeader(tr("Endpoints"), this);
    m_table = new RowTable(tr("Endpoints"), this);
    m_table->setClock(&m_context.bridge->clock());
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->showSort(-1, Qt::AscendingOrder);

    m_new = addAction(tr("New endpoint\u2026"), u"endpoints"_s, u"Shift+N"_s, [this] { openDialog({}); });
    m_edit = addAction(tr("Edit\u2026"), u"edit"_s, u"E"_s, [this] {
        if (const EndpointRow* endpoint = current())
            openDialog(*endpoint);
    });
    m_pause = addAction(tr("Pause"), u"pause"_s, u"P"_s, [this] { change(EndpointVerb::Pause); });
    m_resume = addAction(tr("Resume"), u"play"_s, u"R"_s, [this] { change(EndpointVerb::Resume); });
    m_test = addAction(tr("Send a test"), u"replay"_s, u"Shift+T"_s, [this] { test(); });
    m_disable = addAction(tr("Disable"), u"stop"_s, {}, [this] { change(EndpointVerb::Disable); });
    m_enable = addAction(tr("Enable"), u"check"_s, {}, [this] { change(EndpointVerb::Enable); });
    m_rotate = addAction(tr("New secret\u2026"), u"replay"_s, {}, [this] { askRotate(); });
    m_deliveries = addAction(tr("Show its deliveries"), u"deliveries"_s, {}, [this] { openDeliveries(); });
    m_delete = addAction(tr("Delete\u2026"), u"discard"_s, u"Shift+D"_s, [this] { askDelete(); });
    m_clearFilter = new QAction(tr("Clear filter"), this);
    connect(m_clearFilter, &QAction::triggered, this, [this] {
        setFilter({});
        Q_EMIT filterChanged({});
    });
    m_header->setActions({m_new, m_edit, m_pause, m_resume, m_test});
    m_detail->pane()->setActions(
        {m_test, m_edit, m_pause, m_resume, m_rotate, m_enable, m_disable, m_deliveries, m_delete});

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_broken);
    column->addWidget(m_header);
    column->addWidget(m_table, 1);

    connect(m_broken, &BrokenBar::buttonPressed, this, &EndpointsPage::resync);
    connect(m_table, &RowTable::currentRowChanged, this, &EndpointsPage::askDetail);
    connect(m_table, &RowTable::selectionCountChanged, this, &EndpointsPage::updateActions);
    connect(m_table, &RowTable::rowActivated, this, &Page::detailWanted);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions(pageActions());
        menu->popup(m_table->viewport()->mapToGlobal(position));
    });
}

NavEntry EndpointsPage::entry() const
{
    return {u"endpoints"_s, tr("Endpoints"), u"endpoints"_s, u"N"_s, {}};
}

void EndpointsPage::setFilter(const QString& filter)
{
    m_filter = filter;
    Q_EMIT filterAccepted();
    showRows();
}

QString EndpointsPage::scopeText() const
{
    return m_header->scope();
}

QList<QAction*> EndpointsPage::pageActions() const
{
    return {m_new, m_edit, m_test, m_pause, m_resume, m_rotate, m_enable, m_disable, m_deliveries, m_delete};
}

QWidget* EndpointsPage::detail()
{
    return m_detail->pane();
}

QWidget* EndpointsPage::focusTarget()
{
    return m_table;
}

QString EndpointsPage::currentId() const
{
    return m_table->currentRowId();
}

void EndpointsPage::setZone(format::Zone zone)
{
    m_zone = zone;
    m_table->setZone(zone);
    askDetail();
}

void EndpointsPage::resync()
{
    m_context.bridge->refresh();
    ask();
}

void EndpointsPage::setCurrent(bool current)
{
    m_isCurrent = current;
    if (current)
        ask();
}

QByteArray EndpointsPage::saveState() const
{
    return m_table->saveColumns();
}

void EndpointsPage::restoreState(const QByteArray& state)
{
    m_table->restoreColumns(state);
}

void EndpointsPage::noteChange()
{
    if (m_isCurrent && !m_refresh.isActive())
        m_refresh.start();
}

void EndpointsPage::ask()
{
    m_context.bridge->endpoints(this, m_latest.guard([this](const Result<QList<EndpointRow>>& endpoints) {
        onEndpoints(endpoints);
    }));
}

void EndpointsPage::onEndpoints(const Result<QList<EndpointRow>>& endpoints)
{
    m_table->setStale(!endpoints);
    if (!endpoints) {
        m_broken->showCause(endpoints.error().text(), tr("Try again"));
        return;
    }
    m_broken->clear();
    m_endpoints = *endpoints;
    m_known = true;
    const auto troubled = std::count_if(m_endpoints.begin(), m_endpoints.end(), [](const EndpointRow& row) {
        return row.disabledAtMs && row.disabledCause == DisabledCause::Gone && !row.deletedAtMs;
    });
    Q_EMIT navCountChanged(entry().id, m_endpoints.size(), troubled > 0);
    showRows();
}

void EndpointsPage::showRows()
{
    QList<EndpointRow> shown;
    std::copy_if(m_endpoints.begin(), m_endpoints.end(), std::back_inserter(shown),
                 [this](const EndpointRow& row) { return matchesEndpoint(row, m_filter); });
    m_model->setRows(endpointRows(shown, m_context.bridge->nowMs()));
    m_table->selectFirstRow();

    QString sentence;
    if (m_known && shown.isEmpty())
        sentence = m_endpoints.isEmpty()
                       ? tr("No endpoints: events go where their payloads say.")
                       : tr("0 of %1 match").arg(format::number(qint64(m_endpoints.size())));
    if (const auto empty = sentence + m_filter; sentence.isEmpty() || empty != m_shownEmpty) {
        m_shownEmpty = sentence.isEmpty() ? QString() : empty;
        m_table->setEmptyState(sentence.isEmpty()      ? nullptr
                               : m_endpoints.isEmpty() ? new EmptyState(sentence, {}, {m_new})
                                                       : new EmptyState(sentence, m_filter, {m_clearFilter}));
    }
    qint64 held = 0;
    EndpointFigures day;
    for (const EndpointRow& row : std::as_const(shown)) {
        held += row.held;
        day.add(row.lastDay);
    }
    QStringList parts{
        tr("%1 endpoint(s)", nullptr, int(shown.size())).arg(format::number(qint64(shown.size())))};
    if (day.attempts > 0)
        parts.append(tr("%1 delivered in the last day").arg(successText(day)));
    if (held > 0)
        parts.append(tr("%1 held").arg(format::number(held)));
    m_header->setScope(m_known ? parts.join(u" \u00B7 "_s) : QString());
    Q_EMIT scopeChanged();
    askDetail();
}

void EndpointsPage::askDetail()
{
    updateActions();
    const EndpointRow* endpoint = current();
    if (!endpoint) {
        m_detail->showNothing();
        return;
    }
    m_context.bridge->endpointDetail(this, endpoint->id,
                                     m_latestDetail.guard([this](const Result<EndpointDetail>& detail) {
                                         if (detail && currentId() == detail->endpoint.id)
                                             m_detail->show(*detail, m_context.bridge->nowMs(), m_zone);
                                     }));
}

const EndpointRow* EndpointsPage::current() const
{
    const QString id = m_table->currentRowId();
    const auto found = std::find_if(m_endpoints.begin(), m_endpoints.end(),
                                    [&](const EndpointRow& row) { return row.id == id; });
    return found == m_endpoints.end() ? nullptr : &*found;
}

void EndpointsPage::updateActions()
{
    const EndpointRow* endpoint = current();
    const bool running = m_context.bridge->health().running;
    const auto set = [&](QAction* action, bool possible, const QString& otherwise) {
        const bool chosen = endpoint || action == m_new;
        action->setEnabled(chosen && running && possible && !m_context.readOnly);
        action->setStatusTip(m_context.readOnly ? tr("This profile is read-only.")
                             : !chosen          ? tr("Choose an endpoint first.")
                             : !running         ? tr("The engine is not running.")
                             : possible         ? QString()
                                                : otherwise);
    };
    const bool there = endpoint && !endpoint->deletedAtMs;
    const bool configured = endpoint && endpoint->origin == EndpointOrigin::Configuration;
    const QString inFile = tr("It stands in the configuration: change it there.");
    const QString deleted = tr("It is deleted.");
    set(m_new, true, {});
    set(m_edit, endpoint && !configured, inFile);
    set(m_pause, there && !endpoint->pausedAtMs, there ? tr("It is paused already.") : deleted);
    set(m_resume, there && (endpoint->pausedAtMs || endpoint->pausedUntilMs), tr("It is not paused."));
    set(m_disable, there && !endpoint->disabledAtMs, there ? tr("It is disabled already.") : deleted);
    set(m_enable, there && endpoint->disabledAtMs, there ? tr("It is not disabled.") : deleted);
    set(m_test, there && endpoint->version > 0,
        there ? tr("It is not registered: only payloads say its settings.") : deleted);
    set(m_delete, there && !configured, configured ? inFile : deleted);
    set(m_rotate, there && !configured && endpoint->version > 0,
        configured ? tr("Its secrets stand in the configuration: name the new one first there.")
        : there    ? tr("It is not registered: only payloads say its settings.")
                   : deleted);
    m_deliveries->setEnabled(endpoint);
    m_edit->setText(endpoint && (endpoint->version == 0 || endpoint->deletedAtMs) ? tr("Register\u2026")
                                                                                  : tr("Edit\u2026"));
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

void EndpointsPage::change(EndpointChange asked)
{
    asked.actor = m_context.actor;
    asked.source = u"console"_s;
    const bool rotates = asked.verb == EndpointVerb::Rotate;
    const bool fromDialog = asked.verb == EndpointVerb::Create || asked.verb == EndpointVerb::Edit;
    m_context.bridge->changeEndpoint(this, asked,
                                     [this, fromDialog, rotates](const Result<EndpointChanged>& changed) {
                                         ask();
                                         if (fromDialog && m_dialog)
                                             m_dialog->answered(changed);
                                         else if (rotates && m_rotateDialog)
                                             m_rotateDialog->answered(changed);
                                         else if (!changed)
                                             Q_EMIT messageRaised(changed.error().text());
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
    connect(m_dialog, &EndpointDialog::decided, this, [this](const EndpointChange& asked) { change(asked); });
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
    connect(m_rotateDialog, &RotateDialog::decided, this,
            [this](const EndpointChange& asked) { change(asked); });
    m_rotateDialog->show();
}

void EndpointsPage::askDelete()
{
    const EndpointRow* endpoint = current();
    if (!endpoint)
        return;
    if (m_deleteDialog)
        m_deleteDialog->close();
    m_deleteDialog =
        new EndpointDeleteDialog(*endpoint, m_context.environment, m_context.environmentColour, window());
    connect(m_deleteDialog, &EndpointDeleteDialog::decided, this,
            [this](const EndpointChange& asked) { change(asked); });
    m_deleteDialog->show();
}

void EndpointsPage::test()
{
    const EndpointRow* endpoint = current();
    if (!endpoint)
        return;
    const QString name = cellText(endpoint->id);
    Q_EMIT messageRaised(tr("Sending a test to %1\u2026").arg(name));
    m_context.bridge->testEndpoint(this, endpoint->id, [this, name](const Result<DeliveryAttempt>& attempt) {
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

void EndpointsPage::openDeliveries()
{
    if (const EndpointRow* endpoint = current())
        Q_EMIT pageWanted(u"deliveries"_s, endpointFilter(endpoint->id));
}

} // namespace redrive
