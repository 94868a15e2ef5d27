#include "ui/dialogs/pace_fields.h"

#include "core/base/result.h"
#include "ui/dialogs/form_row.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/segmented_switch.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QSpinBox>

namespace redrive {

namespace {

constexpr int kMostPerSecond = 10'000;
constexpr int kMostInFlight = 10'000;
constexpr CanaryEnd kEnds[]{CanaryEnd::Ask, CanaryEnd::GoOn, CanaryEnd::Stop}; // in the switch's order

QSpinBox* makeSpin(int least, int most, const QString& name, QWidget* parent)
{
    auto* spin = new QSpinBox(parent);
    spin->setRange(least, most);
    spin->setGroupSeparatorShown(true);
    spin->setAccessibleName(name);
    return spin;
}

PlainLabel* makeWords(const QString& text)
{
    return new PlainLabel(text, PlainLabel::Step::Body, Emphasis::Secondary);
}

} // namespace

PaceFields::PaceFields(QVBoxLayout* column, QWidget* dialog) : QObject(dialog)
{
    addSpeed(column, dialog);
    addBrake(column, dialog);
    addCanary(column, dialog);
    judge();
}

void PaceFields::addSpeed(QVBoxLayout* column, QWidget* dialog)
{
    auto* row = addFormRow(column, tr("Speed"));
    m_rate = makeSpin(0, kMostPerSecond, tr("Per second"), dialog);
    m_rate->setSpecialValueText(tr("no limit"));
    m_inFlight = makeSpin(0, kMostInFlight, tr("In flight"), dialog);
    m_inFlight->setSpecialValueText(tr("no limit"));
    constexpr int kAroundText = 56; // the frame, its padding and the two arrows
    for (QSpinBox* field : {m_rate, m_inFlight})
        field->setMinimumWidth(field->fontMetrics().horizontalAdvance(field->specialValueText()) +
                               kAroundText);
    row->addWidget(m_rate);
    row->addWidget(makeWords(tr("per second,")));
    row->addWidget(m_inFlight);
    row->addWidget(makeWords(tr("in flight")));
    row->addStretch(1);
}

void PaceFields::addBrake(QVBoxLayout* column, QWidget* dialog)
{
    auto* row = addFormRow(column, tr("Brake"));
    m_brake = makeSpin(0, 100, tr("Brake, percent"), dialog);
    m_brake->setSpecialValueText(tr("off"));
    m_brake->setSuffix(u" %"_s);
    row->addWidget(m_brake);
    row->addWidget(makeWords(tr("pauses when so many of the last 50 fail")));
    row->addStretch(1);
}

void PaceFields::addCanary(QVBoxLayout* column, QWidget* dialog)
{
    auto* row = addFormRow(column, tr("Canary"));
    m_canary = new QCheckBox(tr("first"), dialog);
    m_canary->setAccessibleName(tr("First ones before the rest"));
    m_first = makeSpin(1, RedrivePace::kMostCanary, tr("How many first"), dialog);
    m_first->setValue(kFirst);
    m_after =
        new SegmentedSwitch(tr("Unless all succeed"), {tr("Ask"), tr("Go on"), tr("Stop")}, true, dialog);
    m_after->setCurrent(0);
    row->addWidget(m_canary);
    row->addWidget(m_first);
    row->addWidget(makeWords(tr("wait for their outcome; unless all succeed:")));
    row->addWidget(m_after);
    row->addStretch(1);
    connect(m_canary, &QCheckBox::toggled, this, &PaceFields::judge);
}

void PaceFields::judge()
{
    m_first->setEnabled(m_canary->isChecked());
    m_after->setEnabled(m_canary->isChecked());
}

RedrivePace PaceFields::pace() const
{
    RedrivePace pace;
    pace.perSecond = m_rate->value();
    pace.inFlight = m_inFlight->value();
    pace.brakePercent = m_brake->value();
    if (m_canary->isChecked()) {
        pace.canary = m_first->value();
        pace.afterCanary = kEnds[qMax(0, m_after->current())];
    }
    return pace;
}

} // namespace redrive
