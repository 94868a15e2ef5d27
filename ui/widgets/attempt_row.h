// The line of one attempt; a click or Space opens it. Part of AttemptsList. Window thread.
#pragma once

#include "ui/widgets/attempts_list.h"

#include <QAbstractButton>

namespace redrive {

QColor phaseColour(PhaseKind kind, bool failed);
QString phaseWord(PhaseKind kind);

class AttemptRow final : public QAbstractButton
{
    Q_OBJECT
public:
    // `longestMs` is the common scale of all bars.
    AttemptRow(const AttemptView& attempt, qint64 longestMs, format::Zone zone, qint64 nowMs,
               QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintBar(QPainter* painter, const QRectF& rect) const;

    AttemptView m_attempt;
    qint64 m_longestMs;
    QString m_time;
};

// Names the colours that occur in the bars.
class PhaseLegend final : public QWidget
{
    Q_OBJECT
public:
    explicit PhaseLegend(const QList<AttemptView>& attempts, QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<QPair<QColor, QString>> entries() const;
    QList<PhaseView> m_phases;
};

} // namespace redrive
