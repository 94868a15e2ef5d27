#include "ui/dialogs/since_field.h"

#include "ui/models/format.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/segmented_switch.h"

#include <QHBoxLayout>
#include <QSpinBox>

#include <algorithm>
#include <array>

namespace redrive {

namespace {

constexpr int kMostHours = 17'520;
constexpr qint64 kHourMs = 3'600'000;
constexpr std::array<int, 4> kPresets{1, 24, 168, 720};
constexpr int kFirstPreset = 1;

} // namespace

SinceField::SinceField(qint64 nowMs, QWidget* parent)
    : QWidget(parent), m_nowMs(nowMs),
      m_presets(new SegmentedSwitch(tr("Presets"), {tr("1 h"), tr("24 h"), tr("7 days"), tr("30 days")},
                                    false, this)),
      m_hours(new QSpinBox(this)), m_words(new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary))
{
    m_hours->setRange(1, kMostHours);
    m_hours->setSuffix(tr(" h ago"));
    m_hours->setGroupSeparatorShown(true);
    m_hours->setAccessibleName(tr("Hours back"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    row->addWidget(m_presets);
    row->addWidget(m_hours);
    row->addWidget(m_words, 1);
    m_hours->setValue(kPresets[kFirstPreset]);
    show();
    connect(m_presets, &SegmentedSwitch::chosen, this,
            [this](int index) { m_hours->setValue(kPresets[size_t(index)]); });
    connect(m_hours, &QSpinBox::valueChanged, this, [this] {
        show();
        Q_EMIT changed();
    });
}

qint64 SinceField::sinceMs() const
{
    return m_nowMs - m_hours->value() * kHourMs;
}

void SinceField::show()
{
    const auto preset = std::find(kPresets.begin(), kPresets.end(), m_hours->value());
    m_presets->setCurrent(preset == kPresets.end() ? -1 : int(preset - kPresets.begin()));
    m_words->setText(format::fullTime(sinceMs(), format::Zone::Local));
}

} // namespace redrive
