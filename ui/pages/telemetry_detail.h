// The detail of a row of telemetry: its payload, and what is known beside it. Asks for the payload when
// another row is shown; a row never changes. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/pages/list_detail.h"
#include "ui/pages/page_context.h"

namespace redrive {

class FactPage;
class PayloadView;

class TelemetryDetail final : public ListDetail
{
    Q_OBJECT
public:
    explicit TelemetryDetail(PageContext context);

    DetailPane* pane() const override { return m_pane; }
    void show(const RowValue& row) override;
    void showNothing() override;
    QString shownId() const override;
    void setZone(format::Zone zone) override;
    void setActive(bool active) override;
    QByteArray json() const override;

private:
    void showHead();
    void askPiece(qint64 offset, qint64 length);

    PageContext m_context;
    DetailPane* m_pane;
    PayloadView* m_payload;
    FactPage* m_facts;
    std::optional<TelemetryRow> m_row;
    QByteArray m_whole; // its payload, once it is here and not too large to be here at once
    Latest m_piece;
    format::Zone m_zone = format::Zone::Utc;
};

} // namespace redrive
