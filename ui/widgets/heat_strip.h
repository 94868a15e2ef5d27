// The last two days as a strip of quarters of an hour, a row for each half day: how much was delivered.
// Window thread.
#pragma once

#include "core/domain/endpoint.h"
#include "ui/models/format.h"

#include <QWidget>

namespace redrive {

class HeatStrip final : public QWidget
{
    Q_OBJECT
public:
    explicit HeatStrip(QWidget* parent = nullptr);

    void setSlots(const QList<EndpointSlot>& quarters, qint64 nowMs);
    void setZone(format::Zone zone);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF rectOf(int index) const;
    QString wordsOf(int index) const;
    const EndpointFigures* figuresOf(int index) const;

    QList<EndpointSlot> m_slots;
    qint64 m_firstMs = 0; // of the first cell
    format::Zone m_zone = format::Zone::Utc;
};

} // namespace redrive
