#include "ui/pages/queue_detail.h"

#include "ui/models/queues_model.h"
#include "ui/models/state_words.h"
#include "ui/widgets/fact_page.h"

namespace redrive {

QueueDetail::QueueDetail(QWidget* page)
    : QObject(page), m_pane(new DetailPane(page)), m_now(new FactPage), m_settings(new FactPage)
{
    m_pane->hide(); // until the window takes it into its dock
    m_pane->addTab(tr("Now"), m_now);
    m_pane->addTab(tr("Settings"), m_settings);
    showNothing();
}

void QueueDetail::showNothing()
{
    m_pane->showNothing(tr("Choose a queue to see it here."));
}

void QueueDetail::show(const QueueStats& queue, qint64 nowMs, format::Zone zone)
{
    const auto state = stateOfQueue(queue);
    DetailHead head;
    head.state = state.glyph;
    head.stateText = state.word;
    head.title = cellText(queue.name);
    head.id = queue.name;
    head.why = whyOfQueue(queue);
    m_pane->setHead(head);
    m_now->setFacts(queueFacts(queue, nowMs, zone));
    m_settings->setFacts(queueSettings(queue));
}

QList<FactView> queueFacts(const QueueStats& queue, qint64 nowMs, format::Zone zone)
{
    QList<FactView> facts{{QueueDetail::tr("Waiting"), format::number(queue.waiting)},
                          {QueueDetail::tr("Delayed"), format::number(queue.delayed)},
                          {QueueDetail::tr("In flight"), format::number(queue.inFlight)},
                          {QueueDetail::tr("Size"), format::bytes(queue.backlogBytes)},
                          {QueueDetail::tr("Oldest"),
                           queue.oldestWaitingMs ? QueueDetail::tr("%1, since %2")
                                                       .arg(format::duration(nowMs - *queue.oldestWaitingMs),
                                                            format::fullTime(*queue.oldestWaitingMs, zone))
                                                 : QueueDetail::tr("nothing waits")},
                          {QueueDetail::tr("Dead letters"), format::number(queue.deadLetters)}};
    if (queue.batchLimit > 0)
        facts.append({QueueDetail::tr("Batches"),
                      QueueDetail::tr("%1 open, up to %2 at once").arg(queue.batches).arg(queue.batchLimit)});
    facts.append({QueueDetail::tr("Rate"), QueueDetail::tr("%1 done/s, %2 failed/s")
                                               .arg(format::number(queue.donePerSecond, 1),
                                                    format::number(queue.failedPerSecond, 1))});
    facts.append({QueueDetail::tr("Since start"),
                  QueueDetail::tr("%1 done, %2 failed, %3 expired")
                      .arg(format::number(qint64(queue.done)), format::number(qint64(queue.failed)),
                           format::number(qint64(queue.expired)))});
    if (queue.paused && queue.pausedAtMs > 0)
        facts.append({QueueDetail::tr("Paused"),
                      QueueDetail::tr("%1 by %2")
                          .arg(format::fullTime(queue.pausedAtMs, zone),
                               queue.pausedBy.isEmpty() ? format::unknown() : cellText(queue.pausedBy))});
    return facts;
}

QList<FactView> queueSettings(const QueueStats& queue)
{
    QList<FactView> facts{{QueueDetail::tr("Kept for"), format::duration(queue.retentionMs)},
                          {QueueDetail::tr("Delay"), queue.deliveryDelayMs > 0
                                                         ? format::duration(queue.deliveryDelayMs)
                                                         : QueueDetail::tr("none")}};
    const auto& consumption = queue.consumption;
    if (!consumption.declared) {
        facts.append({QueueDetail::tr("Consumer"), QueueDetail::tr("none in this configuration")});
        return facts;
    }
    facts.append({QueueDetail::tr("Consumer"), consumption.pulled
                                                   ? QueueDetail::tr("pulled over HTTP: nothing is delivered")
                                                   : QueueDetail::tr("this engine's workers")});
    facts.append({QueueDetail::tr("Batch"), QueueDetail::tr("up to %1 messages, or after %2")
                                                .arg(consumption.maxBatchSize)
                                                .arg(format::elapsed(consumption.maxBatchTimeoutMs))});
    facts.append({QueueDetail::tr("Batches"),
                  consumption.maxConcurrency
                      ? QueueDetail::tr("up to %1 at once").arg(*consumption.maxConcurrency)
                      : QueueDetail::tr("as many as the backlog needs")});
    facts.append({QueueDetail::tr("Deliveries"), format::number(qint64(consumption.maxRetries) + 1)});
    facts.append({QueueDetail::tr("Retry delay"), consumption.retryDelayMs
                                                      ? format::duration(*consumption.retryDelayMs)
                                                      : QueueDetail::tr("the backoff of jobs")});
    facts.append({QueueDetail::tr("Dead letters"), consumption.deadLetterQueue.isEmpty()
                                                       ? QueueDetail::tr("none: used-up messages are dropped")
                                                       : cellText(consumption.deadLetterQueue)});
    return facts;
}

} // namespace redrive
