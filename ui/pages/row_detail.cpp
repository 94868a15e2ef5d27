#include "ui/pages/row_detail.h"

#include "core/base/json_text.h"
#include "core/domain/row_fields.h"
#include "ui/dialogs/attempts_dialog.h"
#include "ui/dialogs/bytes_dialog.h"
#include "ui/models/activity_words.h"
#include "ui/models/curl_text.h"
#include "ui/models/state_words.h"
#include "ui/models/why_text.h"
#include "ui/pages/detail_values.h"
#include "ui/widgets/payload_view.h"

namespace redrive {

namespace {

QString titleOf(const RowValue& row)
{
    if (const auto* activity = std::get_if<ActivityRow>(&row))
        return activityWord(*activity) + u": "_s + cellText(activity->target);
    if (const auto* delivery = std::get_if<DeliveryRow>(&row))
        return delivery->eventType + u" \u2192 "_s + delivery->endpointId;
    return std::visit(
        [](const auto& value) -> QString {
            if constexpr (requires { value.type; })
                return value.type;
            return {};
        },
        row);
}

QString attemptOf(const RowValue& row)
{
    if (const auto* delivery = std::get_if<DeliveryRow>(&row))
        return attemptWords(delivery->attempts, delivery->attempts - delivery->spent + delivery->budget);
    return std::visit(
        [](const auto& value) -> QString {
            if constexpr (requires { value.maxAttempts; })
                return attemptWords(value.attempts, value.maxAttempts);
            return {};
        },
        row);
}

QString queueOf(const RowValue& row)
{
    if (const auto* job = std::get_if<JobRow>(&row))
        return job->queue;
    if (const auto* timer = std::get_if<TimerRow>(&row))
        return timer->queue;
    return {};
}

} // namespace

RowDetail::RowDetail(PageContext context, QWidget* page)
    : ListDetail(page), m_context(std::move(context)), m_pane(new DetailPane(page)),
      m_timeline(new TimelineList), m_attempts(new AttemptsList), m_payload(new PayloadView),
      m_result(new PayloadView)
{
    m_pane->hide(); // until the window takes it into its dock
    m_pane->addTab(tr("Timeline"), m_timeline);
    m_attemptsTab = m_pane->addTab(tr("Attempts"), m_attempts);
    m_payloadTab = m_pane->addTab(tr("Payload"), m_payload);
    m_resultTab = m_pane->addTab(tr("Result"), m_result);
    showResult({});
    connect(m_attempts, &AttemptsList::wholeWanted, this, [this](qint64 attempt, const FactView& fact) {
        auto* dialog = new BytesDialog(tr("%1 of attempt %2").arg(fact.label).arg(attempt), fact.whole,
                                       m_pane->window());
        dialog->QWidget::show();
    });
    connect(m_payload, &PayloadView::pieceWanted, this, &RowDetail::askPiece);
    connect(m_context.bridge, &EngineBridge::changed, this, &RowDetail::onChanged);
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &RowDetail::showHead);
    showNothing();
}

void RowDetail::show(const RowValue& row)
{
    const bool same = m_row && rowId(*m_row) == rowId(row) && rowKey(*m_row) == rowKey(row) &&
                      m_row->index() == row.index();
    m_row = row;
    showHead();
    if (same)
        return;
    const bool hasWork = !std::holds_alternative<ActivityRow>(row);
    m_pane->setTabShown(m_attemptsTab, hasWork);
    m_pane->setTabShown(m_payloadTab, hasWork);
    forget();
    ask();
}

void RowDetail::showNothing()
{
    if (m_row) {
        m_row.reset();
        forget();
    }
    m_pane->showNothing(tr("Choose a row to see it here."));
}

QString RowDetail::shownId() const
{
    return m_row ? rowId(*m_row) : QString();
}

void RowDetail::forget()
{
    m_asked.cancel();
    m_piece.cancel();
    m_asking = false;
    m_payloadJob.clear();
    m_payloadBytes = -1;
    m_payload->clear();
    m_delivery.reset();
    m_jobType.clear();
    m_jobPayload.clear();
    fillTabs({}, {});
    m_pane->setTabCount(m_attemptsTab, -1);
    showResult({});
}

void RowDetail::setZone(format::Zone zone)
{
    m_zone = zone;
    m_timeline->setZone(zone);
    m_attempts->setZone(zone);
    if (m_row) {
        showHead();
        ask();
    }
}

void RowDetail::setActive(bool active)
{
    m_active = active;
    if (!active) {
        m_tick.stop();
        return;
    }
    m_tick.start();
    if (m_row)
        ask();
}

void RowDetail::onChanged(const ChangeSet& changes)
{
    const bool mayBeAlert = m_row && changes.alerts && std::holds_alternative<ActivityRow>(*m_row);
    if (m_row && (changes.everything || mayBeAlert || changes.ids.contains(rowId(*m_row))))
        ask();
}

void RowDetail::ask()
{
    if (!m_active || !m_row)
        return;
    if (m_asking) {
        m_again = true;
        return;
    }
    m_asking = true;
    m_again = false;
    auto& bridge = *m_context.bridge;
    const auto id = rowId(*m_row);
    const auto* timer = std::get_if<TimerRow>(&*m_row);
    if (std::holds_alternative<ActivityRow>(*m_row))
        bridge.activityDetail(this, rowKey(*m_row),
                              m_asked.guard([this](Result<ActivityDetail> d) { take(std::move(d)); }));
    else if (std::holds_alternative<LetterRow>(*m_row))
        bridge.letterDetail(this, rowKey(*m_row),
                            m_asked.guard([this](Result<LetterDetail> d) { take(std::move(d)); }));
    else if (std::holds_alternative<DeliveryRow>(*m_row) || (timer && timer->isDelivery))
        bridge.deliveryDetail(this, id,
                              m_asked.guard([this](Result<DeliveryDetail> d) { take(std::move(d)); }));
    else
        bridge.jobDetail(this, id, m_asked.guard([this](Result<JobDetail> d) { take(std::move(d)); }));
}

template <typename T>
void RowDetail::take(Result<T> detail)
{
    m_asking = false;
    // A row that is gone keeps what was last seen of it.
    if (detail)
        fill(*detail);
    if (m_again)
        ask();
}

void RowDetail::fill(const JobDetail& detail)
{
    if (std::holds_alternative<JobRow>(*m_row))
        m_row = detail.job;
    showHead();
    fillTabs(timelineOf(detail, m_zone), attemptViews(detail, m_zone));
    m_jobType = detail.job.type;
    showPayload(detail.job.id, detail.job.payloadBytes);
    showResult(detail.result);
}

void RowDetail::fill(const DeliveryDetail& detail)
{
    if (std::holds_alternative<DeliveryRow>(*m_row))
        m_row = detail.delivery;
    showHead();
    m_delivery = detail;
    fillTabs(timelineOf(detail, m_zone), attemptViews(detail, m_zone));
    m_payload->setPayload(detail.body);
}

void RowDetail::fill(const LetterDetail& detail)
{
    m_row = detail.letter;
    showHead();
    if (detail.job) {
        fillTabs(timelineOf(detail, m_zone), attemptViews(*detail.job, m_zone));
        m_jobType = detail.job->job.type;
        showPayload(detail.job->job.id, detail.job->job.payloadBytes);
        showResult(detail.job->result);
    } else if (detail.delivery) {
        m_delivery = detail.delivery;
        fillTabs(timelineOf(detail, m_zone), attemptViews(*detail.delivery, m_zone));
        m_payload->setPayload(detail.delivery->body);
    } else {
        fillTabs(timelineOf(detail, m_zone), {});
    }
}

void RowDetail::fill(const ActivityDetail& detail)
{
    m_row = detail.row;
    showHead();
    fillTabs(timelineOf(detail, m_zone), {});
}

void RowDetail::fillTabs(const QList<TimelineEntry>& timeline, const QList<AttemptView>& attempts)
{
    const qint64 now = m_context.bridge->nowMs();
    m_timeline->setNow(now);
    m_timeline->setEntries(timeline);
    m_attempts->setNow(now);
    m_attempts->setAttempts(attempts);
    m_pane->setTabCount(m_attemptsTab, attempts.size());
    m_attemptViews = attempts;
    Q_EMIT attemptsChanged();
}

QByteArray RowDetail::json() const
{
    return m_row ? std::visit([](const auto& row) { return jsonLineOf(fieldsOf(row)); }, *m_row)
                 : QByteArray();
}

QString RowDetail::curl() const
{
    if (!m_row)
        return {};
    if (m_delivery) {
        if (m_delivery->attempts.isEmpty())
            return curlText(m_delivery->delivery.url, {}, m_delivery->body);
        const auto& newest = m_delivery->attempts.first();
        return curlText(newest.url, newest.requestHeaders, m_delivery->body);
    }
    const QString listener = m_context.bridge->health().listenUrl;
    if (m_jobPayload.isEmpty() || listener.isEmpty())
        return {};
    QByteArray body(R"({"type":)");
    appendJsonString(body, m_jobType);
    return curlText(listener + u"/jobs"_s, {}, body + R"(,"payload":)" + m_jobPayload + '}');
}

QString RowDetail::allowLine() const
{
    if (!m_delivery || m_delivery->attempts.isEmpty() || m_delivery->attempts.first().errorCode != u"blocked")
        return {};
    const QString& error = m_delivery->attempts.first().error;
    const auto begin = error.lastIndexOf(u"allow_private_targets = ["_s);
    const auto end = error.lastIndexOf(u']'); // addresses may hold brackets
    return begin < 0 || end < begin ? QString() : error.mid(begin, end - begin + 1);
}

void RowDetail::compareAttempts(QWidget* parent)
{
    if (canCompare() && m_row)
        (new AttemptsDialog(titleOf(*m_row), m_attemptViews, m_zone, parent))->QWidget::show();
}

void RowDetail::showHead()
{
    if (!m_row)
        return;
    WhyContext context{m_context.bridge->nowMs(), m_zone, nullptr};
    const auto name = queueOf(*m_row);
    if (const auto& counts = m_context.bridge->counts(); counts && !name.isEmpty())
        for (const auto& queue : counts->queues)
            if (queue.name == name)
                context.queue = &queue;
    const auto state = stateOf(*m_row);
    const bool openLetter = std::holds_alternative<LetterRow>(*m_row) && state.glyph == u"dead";
    m_pane->setHead({state.glyph, openLetter ? QString() : state.word, titleOf(*m_row), attemptOf(*m_row),
                     rowId(*m_row), whyText(*m_row, context)});
}

void RowDetail::showResult(const QString& result)
{
    m_pane->setTabShown(m_resultTab, !result.isEmpty());
    if (result == m_resultText)
        return; // where it was scrolled to stays
    m_resultText = result;
    m_result->setPayload(result.toUtf8());
}

void RowDetail::showPayload(const QString& jobId, qint64 bytes)
{
    if (jobId == m_payloadJob && bytes == m_payloadBytes)
        return; // a payload never changes
    m_payloadJob = jobId;
    m_payloadBytes = bytes;
    if (bytes > PayloadView::kPiece)
        m_payload->setLargePayload(bytes);
    else
        askPiece(0, PayloadView::kPiece);
}

void RowDetail::askPiece(qint64 offset, qint64 length)
{
    m_context.bridge->payload(this, m_payloadJob, offset, length,
                              m_piece.guard([this](Result<PayloadPiece> piece) {
                                  if (!piece)
                                      return;
                                  if (piece->totalBytes > PayloadView::kPiece)
                                      m_payload->showPiece(piece->offset, piece->bytes);
                                  else {
                                      m_payload->setPayload(piece->bytes);
                                      m_jobPayload = piece->bytes;
                                  }
                              }));
}

} // namespace redrive
