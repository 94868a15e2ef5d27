#include "ui/pages/operations_strip.h"

#include "core/domain/action.h"
#include "ui/models/operation_words.h"
#include "ui/pages/operation_row.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kRowsShown = 3; // before it scrolls

} // namespace

OperationsStrip::OperationsStrip(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setAccessibleName(tr("Operations"));
    auto* list = new QWidget(area);
    m_column = new QVBoxLayout(list);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_nothing =
        new PlainLabel(tr("No operation is under way."), PlainLabel::Step::Body, Emphasis::Secondary, list);
    m_nothing->setContentsMargins(Look::current().space.paneInset, 8, 0, 8);
    m_column->addWidget(m_nothing);
    m_column->addStretch(1);
    area->setWidget(list);
    outer->addWidget(area);

    m_pause.setSingleShot(true);
    m_pause.setInterval(kAskEveryMs);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        const bool open = std::any_of(m_redrives.begin(), m_redrives.end(),
                                      [](const RedriveInfo& info) { return info.isOpen(); });
        if (m_wanted || open)
            ask();
    });
    connect(m_context.bridge, &EngineBridge::changed, this, [this](const ChangeSet& changes) {
        if (!changes.operations && !changes.everything)
            return;
        m_wanted = true;
        if (!m_pause.isActive())
            ask();
    });
    connect(m_context.bridge, &EngineBridge::healthChanged, this, &OperationsStrip::showRows);
    ask();
}

void OperationsStrip::setShowAll(bool all)
{
    m_all = all;
    showRows();
}

OperationRow* OperationsStrip::row(qint64 number) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                    [number](const OperationRow* one) { return one->number() == number; });
    return found == m_rows.end() ? nullptr : *found;
}

QSize OperationsStrip::sizeHint() const
{
    int height = 0;
    for (qsizetype i = 0; i < std::min<qsizetype>(kRowsShown, m_rows.size()); ++i)
        height += m_rows[i]->sizeHint().height();
    return {600, std::max(height, m_nothing->sizeHint().height())};
}

void OperationsStrip::ask()
{
    m_wanted = false;
    m_pause.start();
    m_context.bridge->redrives(
        this, m_asked.guard([this](const Result<QList<RedriveInfo>>& redrives) { take(redrives); }));
}

void OperationsStrip::take(const Result<QList<RedriveInfo>>& redrives)
{
    if (!redrives)
        return; // the page over it says why
    m_redrives = *redrives;
    showRows();
}

bool OperationsStrip::matters(const RedriveInfo& info) const
{
    if (info.isOpen())
        return true;
    const qint64 endedAtMs = info.finishedAtMs.value_or(info.createdAtMs);
    if (m_context.bridge->nowMs() - endedAtMs > kShownAfterEndMs)
        return false;
    return info.total > kSmall || info.pace.isSet();
}

void OperationsStrip::showRows()
{
    QList<RedriveInfo> shown;
    for (const auto& info : std::as_const(m_redrives))
        if (m_all || matters(info))
            shown.append(info);
    const auto before = m_rows.size();
    const auto why = obstacle();
    QList<OperationRow*> rows;
    for (const auto& info : std::as_const(shown)) {
        OperationRow* known = row(info.no);
        m_rows.removeOne(known);
        rows.append(known ? known : makeRow());
        if (m_column->indexOf(rows.last()) != int(rows.size() - 1))
            m_column->insertWidget(int(rows.size() - 1), rows.last());
        rows.last()->show();
        rows.last()->present(info, why, m_context.bridge->nowMs());
    }
    qDeleteAll(m_rows); // those that are not shown any more
    m_rows = rows;
    m_nothing->setVisible(m_rows.isEmpty());
    if (m_rows.size() != before) {
        updateGeometry();
        Q_EMIT rowsChanged(int(m_rows.size()));
    }
}

OperationRow* OperationsStrip::makeRow()
{
    auto* row = new OperationRow(this);
    connect(row, &OperationRow::steered, this,
            [this, row](RedriveSteer how, double perSecond) { steer(row->number(), how, perSecond); });
    connect(row, &OperationRow::rowsWanted, this, &OperationsStrip::pageWanted);
    return row;
}

QString OperationsStrip::obstacle() const
{
    if (m_context.readOnly)
        return tr("This profile is read-only.");
    return m_context.bridge->health().running ? QString() : tr("The engine is not running.");
}

void OperationsStrip::steer(qint64 number, RedriveSteer how, double perSecond)
{
    RedriveOrder order;
    order.no = number;
    order.steer = how;
    order.perSecond = perSecond;
    order.actor = m_context.actor;
    order.source = u"console"_s;
    m_context.bridge->steer(this, order, [this, how](const Result<RedriveInfo>& steered) {
        if (!steered)
            Q_EMIT messageRaised(steered.error().text());
        else if (how == RedriveSteer::Undo)
            Q_EMIT messageRaised(undoneText(*steered));
        ask();
    });
}

void OperationsStrip::undo()
{
    if (const auto why = obstacle(); !why.isEmpty()) {
        Q_EMIT messageRaised(why);
        return;
    }
    // As it is now: what is shown may be of before the last action.
    m_context.bridge->redrives(this, [this](const Result<QList<RedriveInfo>>& redrives) {
        if (redrives)
            undoLastOf(*redrives);
        else
            Q_EMIT messageRaised(redrives.error().text());
    });
}

void OperationsStrip::undoLastOf(const QList<RedriveInfo>& redrives)
{
    const auto counts = [this](const RedriveInfo& info) {
        return info.source == u"console" && info.actor == m_context.actor && !info.undoneAtMs &&
               info.verb != toText(ActionVerb::Restore);
    };
    const auto last = std::find_if(redrives.begin(), redrives.end(), counts);
    if (last == redrives.end())
        Q_EMIT messageRaised(tr("There is nothing to undo."));
    else if (!canBeUndone(*last))
        Q_EMIT messageRaised(tr("%1 is done: nothing of it can be taken back.").arg(operationTitle(*last)));
    else
        steer(last->no, RedriveSteer::Undo, 0);
}

} // namespace redrive
