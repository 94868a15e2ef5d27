// Rows of telemetry per minute, stacked by source. A click on a minute or a drag over several chooses a time;
// the keyboard does the same: arrows, with Shift several, Enter, Esc. Window thread.
#pragma once

#include "ui/models/format.h"
#include "ui/models/telemetry_history.h"

#include <QWidget>

class QComboBox;

namespace redrive {

class SegmentedSwitch;

class TelemetryStrip final : public QWidget
{
    Q_OBJECT
public:
    explicit TelemetryStrip(QWidget* parent = nullptr);

    const TelemetryHistory& history() const { return m_history; }
    void take(const TelemetryMinutes& counted, bool whole);
    void setZone(format::Zone zone);
    // What the list is filtered to; a null tenant is all, equal times are none.
    void setTenant(const QString& tenant);
    void setRange(qint64 fromMs, qint64 toMs);
    void setStale(bool stale);

    // "14:21: audit 12, metric 80".
    QString wordsOf(const TelemetryBar& bar) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void spanChosen(qint64 ms);
    void tenantChosen(const QString& tenant); // null: all
    void rangeChosen(qint64 fromMs, qint64 toMs);
    void rangeCleared();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    static constexpr int kPlot = 56;
    static constexpr int kAxis = 20;

    static QString sourceWords(const QString& source);
    void fillTenants();
    void rebuild();
    QRectF plot() const;
    QRectF rectOf(qsizetype bar) const;
    int barAt(const QPointF& place) const; // -1: none
    void moveTo(int bar, bool extend);
    void choose();
    void paintHead(QPainter* painter) const;
    void paintBars(QPainter* painter) const;
    void paintAxis(QPainter* painter) const;
    void paintRange(QPainter* painter, const QRectF& area, bool chosen) const;

    TelemetryHistory m_history;
    QList<TelemetryBar> m_bars;
    QComboBox* m_tenants;
    SegmentedSwitch* m_spans;
    QString m_tenant;
    format::Zone m_zone = format::Zone::Utc;
    qint64 m_rangeFromMs = 0;
    qint64 m_rangeToMs = 0;
    int m_anchor = -1; // bars of a choice under way
    int m_cursor = -1;
    bool m_dragging = false;
    bool m_stale = false;
};

} // namespace redrive
