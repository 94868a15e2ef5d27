// What a list page says it shows: how many rows, how far a search has come, what is chosen.
#include "core/domain/filter_edit.h"
#include "ui/pages/list_page.h"
#include "ui/widgets/row_table.h"

#include <array>

namespace redrive {

QStringList ListPage::filterWords() const
{
    QStringList words;
    const auto addStates = [&words](const auto& states) {
        for (const auto state : states)
            words.append(u"status:"_s + toText(state));
    };
    if (m_model->kind() == ListKind::Jobs)
        addStates(std::array{JobStatus::Pending, JobStatus::Processing, JobStatus::Done, JobStatus::Dead,
                             JobStatus::Cancelled});
    if (m_model->kind() == ListKind::Deliveries)
        addStates(std::array{DeliveryStatus::Pending, DeliveryStatus::Sending, DeliveryStatus::Delivered,
                             DeliveryStatus::Failed, DeliveryStatus::Held, DeliveryStatus::Dead,
                             DeliveryStatus::Cancelled});
    if (const auto& counts = bridge().counts())
        for (const QueueStats& queue : counts->queues)
            words.append(filterTermText(u"queue"_s, queue.name));
    for (const QString& field : filterFieldNames())
        if (field != u"tenant" && field != u"source")
            words.append(field + (field == u"payload" ? u'.' : u':'));
    return words;
}

QString ListPage::searchedText() const
{
    const qint64 searched = m_model->searchedRows();
    return tr("searched %1 of %2")
        .arg(format::number(searched),
             total() < 0 ? format::unknown() : format::number(qMax(searched, total())));
}

QString ListPage::headingScope() const
{
    if (const QString other = otherScope(); !other.isEmpty())
        return other;
    const qint64 rows = m_model->rowCount();
    QStringList parts;
    if (m_model->phase() == ListPhase::Filling)
        parts.append(tr("%1 so far").arg(format::number(rows)));
    else if (m_model->phase() == ListPhase::Failed && rows > 0)
        parts.append(tr("incomplete: %1 could be read").arg(format::number(rows)));
    else if (m_model->phase() != ListPhase::Complete)
        return m_longSearch ? searchedText() : QString();
    else if (m_model->isStopped())
        parts.append(tr("%1 found").arg(format::number(rows)));
    else if (m_model->filter().isEmpty())
        parts.append(tr("%1 in all").arg(format::number(rows)));
    else
        parts.append(tr("%1 of %2 match")
                         .arg(format::number(rows),
                              total() < 0 ? format::unknown() : format::number(qMax(rows, total()))));
    if (m_longSearch)
        parts.append(searchedText());
    else if (m_model->isStopped())
        parts.append(tr("stopped: %1").arg(searchedText()));
    if (m_model->isCut())
        parts.append(tr("finished ones: the newest %1").arg(format::number(qint64(10'000))));
    if (const int selected = m_table->selectedRowCount(); selected > 0)
        parts.append(tr("%1 selected").arg(format::number(qint64(selected))));
    if (m_following)
        parts.append(tr("following"));
    if (m_oldSinceMs > 0)
        parts.append(tr("as of %1").arg(format::clockTime(m_oldSinceMs, m_table->zone(), bridge().nowMs())));
    return parts.join(u" \u00B7 "_s);
}

QString ListPage::scopeText() const
{
    return headingScope().replace(u" \u00B7 "_s, u", "_s);
}

} // namespace redrive
