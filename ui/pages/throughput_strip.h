// The throughput of the last minutes, done, retried and dead, and the backlog, on one time axis, each with
// its own scale, so that a rare failure shows beside a great throughput. Window thread.
#pragma once

#include "ui/models/format.h"
#include "ui/pages/throughput_history.h"

#include <QWidget>

namespace redrive {

class ThroughputStrip final : public QWidget
{
    Q_OBJECT
public:
    explicit ThroughputStrip(QWidget* parent = nullptr);

    void setHistory(const ThroughputHistory& history);
    void setZone(format::Zone zone);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Lane;
    QList<Lane> lanes() const;
    void paintHead(QPainter* painter, const QList<Lane>& lanes) const;
    void paintLane(QPainter* painter, const QRectF& rect, const Lane& lane) const;
    void paintAxis(QPainter* painter, const QRectF& plot) const;

    std::deque<ThroughputStep> m_steps;
    format::Zone m_zone = format::Zone::Utc;
};

} // namespace redrive
