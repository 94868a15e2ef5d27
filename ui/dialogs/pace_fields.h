// How fast a bulk action goes and what ends it early: speed, brake and first ones, as rows of a dialog.
// Window thread.
#pragma once

#include "core/domain/redrive.h"

#include <QObject>

class QCheckBox;
class QSpinBox;
class QVBoxLayout;
class QWidget;

namespace redrive {

class SegmentedSwitch;

class PaceFields final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kFirst = 5; // what the box offers

    PaceFields(QVBoxLayout* column, QWidget* dialog);

    RedrivePace pace() const;
    QSpinBox* inFlightField() const { return m_inFlight; }
    QCheckBox* canaryBox() const { return m_canary; }

private:
    void addSpeed(QVBoxLayout* column, QWidget* dialog);
    void addBrake(QVBoxLayout* column, QWidget* dialog);
    void addCanary(QVBoxLayout* column, QWidget* dialog);
    void judge();

    QSpinBox* m_rate = nullptr;
    QSpinBox* m_inFlight = nullptr;
    QSpinBox* m_brake = nullptr;
    QCheckBox* m_canary = nullptr;
    QSpinBox* m_first = nullptr;
    SegmentedSwitch* m_after = nullptr;
};

} // namespace redrive
