#include "ui/pages/telemetry_detail.h"

#include "core/domain/row_fields.h"
#include "ui/models/state_words.h"
#include "ui/widgets/fact_page.h"
#include "ui/widgets/payload_view.h"

namespace redrive {

TelemetryDetail::TelemetryDetail(PageContext context)
    : m_context(std::move(context)), m_pane(new DetailPane), m_payload(new PayloadView), m_facts(new FactPage)
{
    m_pane->hide(); // until the window takes it into its dock
    m_pane->addTab(tr("Payload"), m_payload);
    m_pane->addTab(tr("Facts"), m_facts);
    connect(m_payload, &PayloadView::pieceWanted, this, &TelemetryDetail::askPiece);
    showNothing();
}

void TelemetryDetail::show(const RowValue& row)
{
    const auto& telemetry = std::get<TelemetryRow>(row);
    const bool same = m_row && m_row->key == telemetry.key && m_row->id == telemetry.id;
    m_row = telemetry;
    showHead();
    if (same)
        return;
    m_whole.clear();
    m_payload->clear();
    if (telemetry.payloadBytes > PayloadView::kPiece)
        m_payload->setLargePayload(telemetry.payloadBytes);
    else
        askPiece(0, PayloadView::kPiece);
}

void TelemetryDetail::showNothing()
{
    m_row.reset();
    m_whole.clear();
    m_piece.cancel();
    m_pane->showNothing(tr("Choose a row to see it here."));
}

QString TelemetryDetail::shownId() const
{
    return m_row ? m_row->id : QString();
}

void TelemetryDetail::setZone(format::Zone zone)
{
    m_zone = zone;
    if (m_row)
        showHead();
}

void TelemetryDetail::setActive(bool active)
{
    if (active && m_row && m_whole.isEmpty() && m_row->payloadBytes <= PayloadView::kPiece)
        askPiece(0, PayloadView::kPiece);
}

void TelemetryDetail::showHead()
{
    const QString source = m_row->source.isEmpty() ? tr("event") : cellText(m_row->source);
    const QString tenant = m_row->tenantId.isEmpty() ? format::unknown() : cellText(m_row->tenantId);
    DetailHead head;
    head.title = tr("%1 of %2").arg(source, tenant);
    head.attempt = format::clockTime(m_row->createdAtMs, m_zone, m_context.bridge->nowMs());
    head.id = m_row->id;
    m_pane->setHead(head);
    m_facts->setFacts({{tr("Accepted"), format::fullTime(m_row->createdAtMs, m_zone)},
                       {tr("Tenant"), m_row->tenantId},
                       {tr("Source"), m_row->source},
                       {tr("Event"), m_row->id, true},
                       {tr("Size"), format::bytes(m_row->payloadBytes)}});
}

QByteArray TelemetryDetail::json() const
{
    if (!m_row || m_whole.isEmpty())
        return {};
    TelemetryRow row = *m_row;
    row.payload = QString::fromUtf8(m_whole);
    return jsonLineOf(fieldsOf(row));
}

void TelemetryDetail::askPiece(qint64 offset, qint64 length)
{
    m_context.bridge->telemetryPayload(this, m_row->key, offset, length,
                                       m_piece.guard([this](Result<PayloadPiece> piece) {
                                           if (!piece)
                                               return; // the bridge says what is wrong
                                           if (piece->totalBytes > PayloadView::kPiece) {
                                               m_payload->showPiece(piece->offset, piece->bytes);
                                               return;
                                           }
                                           m_whole = piece->bytes;
                                           m_payload->setPayload(m_whole);
                                       }));
}

} // namespace redrive
