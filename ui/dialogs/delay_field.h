// For how long something is put off: presets, and the seconds behind them, 0–86,400. Window thread.
#pragma once

#include <QWidget>

class QSpinBox;

namespace redrive {

class PlainLabel;
class SegmentedSwitch;

class DelayField final : public QWidget
{
    Q_OBJECT
public:
    explicit DelayField(QWidget* parent = nullptr);

    qint64 delayMs() const;
    QSpinBox* seconds() const { return m_seconds; }

Q_SIGNALS:
    void changed();

private:
    void show();

    SegmentedSwitch* m_presets;
    QSpinBox* m_seconds;
    PlainLabel* m_words;
};

} // namespace redrive
