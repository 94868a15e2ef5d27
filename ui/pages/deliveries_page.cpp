#include "ui/pages/deliveries_page.h"

#include "core/domain/replay_rule.h"
#include "ui/models/deliveries_model.h"
#include "ui/models/matrix_model.h"
#include "ui/widgets/matrix_view.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/segmented_switch.h"

#include <QAction>
#include <QHeaderView>
#include <QVBoxLayout>

namespace redrive {

namespace {

// One in a state that is not ours counts as waiting, as the engine has it.
ReplayObstacle obstacleOf(const RowValue& row)
{
    const auto& delivery = std::get<DeliveryRow>(row);
    const auto status = delivery.otherStatus.isEmpty() ? delivery.status : DeliveryStatus::Pending;
    return replayObstacle(status, delivery.reason, delivery.discarded);
}

bool canBeReplayed(const RowValue& row)
{
    return obstacleOf(row) == ReplayObstacle::None;
}

QString whyNotReplayed(const RowValue& row)
{
    if (!std::get<DeliveryRow>(row).otherStatus.isEmpty())
        return DeliveriesPage::tr("They are in a state that Redrive does not know.");
    switch (obstacleOf(row)) {
    case ReplayObstacle::Sending:
        return DeliveriesPage::tr("They are being sent right now.");
    case ReplayObstacle::Waiting:
        return DeliveriesPage::tr("They wait to be sent already.");
    case ReplayObstacle::InBin:
        return DeliveriesPage::tr("They are in the bin: restore them first.");
    case ReplayObstacle::EndpointPaused:
        return DeliveriesPage::tr("Their endpoint is paused: they go out when it is resumed.");
    case ReplayObstacle::None:
        break;
    }
    return {};
}

bool waitsForTimer(const RowValue& row)
{
    return std::get<DeliveryRow>(row).dueAtMs.has_value();
}

bool isOpen(const RowValue& row)
{
    const auto status = std::get<DeliveryRow>(row).status;
    return status == DeliveryStatus::Pending || status == DeliveryStatus::Sending ||
           status == DeliveryStatus::Failed || status == DeliveryStatus::Held;
}

bool hasEvent(const RowValue& row)
{
    return !std::get<DeliveryRow>(row).eventId.isEmpty();
}

bool isDead(const RowValue& row)
{
    const auto& delivery = std::get<DeliveryRow>(row);
    return delivery.status == DeliveryStatus::Dead && !delivery.discarded;
}

} // namespace

DeliveriesPage::DeliveriesPage(const PageContext& context)
    : ListPage(context, new DeliveriesModel(*context.bridge), tr("Deliveries")),
      m_switch(new SegmentedSwitch(tr("Table or matrix"), {tr("Table"), tr("Matrix")}, true, this)),
      m_model(new MatrixModel(this)), m_matrix(new MatrixView(m_model, this))
{
    header()->addWidget(m_switch);
    m_matrix->hide();
    static_cast<QVBoxLayout*>(layout())->addWidget(m_matrix, 1);
    connect(m_switch, &SegmentedSwitch::chosen, this, [this](int index) { showMatrix(index == 1); });
    connect(m_matrix, &MatrixView::chosenChanged, this, [this] {
        updateVerbs();
        refreshState();
    });
    connect(m_matrix, &MatrixView::currentCellChanged, this, &DeliveriesPage::showCell);
    connect(m_model, &QAbstractItemModel::modelReset, this, &DeliveriesPage::showCell);
    connect(m_matrix, &MatrixView::ticked, this, [this] { m_model->setTime(bridge().nowMs(), m_zone); });
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kRefreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &DeliveriesPage::askMatrix);
    connect(&bridge(), &EngineBridge::changed, this, [this](const ChangeSet& changes) {
        const bool concerned = changes.deliveries || changes.endpoints || changes.everything;
        if (showsMatrix() && isVisible() && concerned && !m_refresh.isActive())
            m_refresh.start();
    });
    setVerbs({
        {ActionVerb::Replay, u"R"_s, canBeReplayed,
         tr("None of them can be sent again: they wait, are being sent, in the bin, or held by a pause."),
         false, false, whyNotReplayed},
        {ActionVerb::ReplayMissing,
         u"V"_s,
         {},
         tr("Select cells that were never sent, of endpoints that take such events.")},
        {ActionVerb::RunNow, u"N"_s, waitsForTimer,
         tr("Only deliveries that wait for a timer can be run now.")},
        {ActionVerb::Postpone, u"P"_s, waitsForTimer,
         tr("Only deliveries that wait for a timer can be postponed.")},
        {ActionVerb::Cancel, u"X"_s, isOpen, tr("They are delivered, dead or cancelled already."), true},
        {ActionVerb::Publish, {}, hasEvent, tr("Their events are not kept."), false, true},
        {ActionVerb::Discard, u"D"_s, isDead, tr("Only dead deliveries can be discarded.")},
    });
}

NavEntry DeliveriesPage::entry() const
{
    return {u"deliveries"_s, tr("Deliveries"), u"deliveries"_s, u"E"_s, {}};
}

QString DeliveriesPage::filterPlaceholder() const
{
    return tr("Filter deliveries: status: endpoint: type: error: attempt: age: id:");
}

qint64 DeliveriesPage::total() const
{
    const auto& counts = bridge().counts();
    return counts ? counts->deliveries : -1;
}

QString DeliveriesPage::emptySentence() const
{
    return tr("No deliveries yet. A job of the type webhook_fanout makes one per endpoint.");
}

bool DeliveriesPage::showsMatrix() const
{
    return m_switch->current() == 1;
}

void DeliveriesPage::showMatrix(bool matrix)
{
    m_switch->setCurrent(matrix ? 1 : 0);
    table()->setVisible(!matrix);
    m_matrix->setVisible(matrix);
    if (matrix) {
        for (QAction* action : pageActions())
            if (!m_matrix->actions().contains(action))
                m_matrix->addAction(action);
        askMatrix();
    }
    showCell();
    showDetailOfCurrent();
    applyVerbs();
    refreshState();
    focusTarget()->setFocus();
}

void DeliveriesPage::showCell()
{
    m_shown.cancel();
    if (!showsMatrix())
        return;
    const qint64 key = m_matrix->currentKey();
    if (key == 0) {
        showNoDetail();
        return;
    }
    bridge().fetchRows(this, ListKind::Deliveries, {key}, m_shown.guard([this](const Result<ListRows>& rows) {
        const auto* deliveries = rows ? std::get_if<QList<DeliveryRow>>(&*rows) : nullptr;
        if (deliveries && !deliveries->isEmpty())
            showDetailOf(deliveries->first());
    }));
}

QString DeliveriesPage::currentId() const
{
    return showsMatrix() ? shownId() : ListPage::currentId();
}

void DeliveriesPage::setCurrent(bool current)
{
    ListPage::setCurrent(current);
    if (current)
        askMatrix();
}

void DeliveriesPage::clearSelection()
{
    if (showsMatrix())
        m_matrix->clearSelection();
    else
        ListPage::clearSelection();
}

int DeliveriesPage::deliveredChosen() const
{
    return showsMatrix() ? m_matrix->chosenDelivered() : 0;
}

QStringList DeliveriesPage::missedChosen() const
{
    return showsMatrix() ? m_matrix->chosenMissed() : QStringList();
}

bool DeliveriesPage::offers(ActionVerb verb) const
{
    return verb != ActionVerb::ReplayMissing || showsMatrix();
}

void DeliveriesPage::askMatrix()
{
    if (showsMatrix())
        bridge().deliveryMatrix(this, filter(), m_latest.guard([this](const Result<DeliveryMatrix>& matrix) {
            onMatrix(matrix);
        }));
}

void DeliveriesPage::onMatrix(const Result<DeliveryMatrix>& matrix)
{
    m_problem = matrix ? QString() : matrix.error().text();
    if (matrix) {
        m_model->setTime(bridge().nowMs(), m_zone);
        m_model->setMatrix(*matrix);
    }
    updateVerbs();
    refreshState();
}

void DeliveriesPage::setFilter(const QString& filter)
{
    ListPage::setFilter(filter);
    askMatrix();
}

void DeliveriesPage::setZone(format::Zone zone)
{
    m_zone = zone;
    ListPage::setZone(zone);
    m_model->setTime(bridge().nowMs(), zone);
    m_matrix->viewport()->update();
    m_matrix->verticalHeader()->viewport()->update();
}

QWidget* DeliveriesPage::focusTarget()
{
    return showsMatrix() ? static_cast<QWidget*>(m_matrix) : ListPage::focusTarget();
}

QByteArray DeliveriesPage::saveState() const
{
    return (showsMatrix() ? "matrix " : "table ") + ListPage::saveState();
}

void DeliveriesPage::restoreState(const QByteArray& state)
{
    const auto space = state.indexOf(' ');
    ListPage::restoreState(state.mid(space + 1));
    if (state.left(qMax<qsizetype>(space, 0)) == "matrix")
        showMatrix(true);
}

std::optional<std::vector<qint64>> DeliveriesPage::otherSelection() const
{
    return showsMatrix() ? std::optional(m_matrix->chosenKeys()) : std::nullopt;
}

QString DeliveriesPage::otherScope() const
{
    if (!showsMatrix())
        return {};
    if (!m_problem.isEmpty())
        return m_problem;
    const DeliveryMatrix& matrix = m_model->matrix();
    QStringList parts{
        tr("%1 event(s)", nullptr, int(matrix.events.size())).arg(matrix.events.size()),
        tr("%1 endpoint(s)", nullptr, int(matrix.endpoints.size())).arg(matrix.endpoints.size())};
    if (matrix.moreEvents)
        parts.append(tr("older ones match too"));
    if (matrix.endpointsLeftOut > 0)
        parts.append(tr("%1 endpoints without failures left out").arg(matrix.endpointsLeftOut));
    if (const auto chosen = m_matrix->chosenKeys().size(); chosen > 0)
        parts.append(tr("%1 selected").arg(chosen));
    if (const int without = m_matrix->chosenWithout(); without > 0)
        parts.append(tr("%1 chosen without a delivery, left out of a replay").arg(without));
    return parts.join(u" \u00B7 "_s);
}

} // namespace redrive
