// Since when: presets, and the hours behind them, 1–17,520 (two years). Window thread.
#pragma once

#include <QWidget>

class QSpinBox;

namespace redrive {

class PlainLabel;
class SegmentedSwitch;

class SinceField final : public QWidget
{
    Q_OBJECT
public:
    // Counted back from `nowMs` (unix ms), which stays what it is.
    explicit SinceField(qint64 nowMs, QWidget* parent = nullptr);

    qint64 sinceMs() const; // unix ms
    QSpinBox* hours() const { return m_hours; }

Q_SIGNALS:
    void changed();

private:
    void show();

    const qint64 m_nowMs;
    SegmentedSwitch* m_presets;
    QSpinBox* m_hours;
    PlainLabel* m_words;
};

} // namespace redrive
