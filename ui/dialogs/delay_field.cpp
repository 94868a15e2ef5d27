#include "ui/dialogs/delay_field.h"

#include "ui/models/format.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/segmented_switch.h"

#include <QHBoxLayout>
#include <QSpinBox>

#include <array>

namespace redrive {

namespace {

constexpr int kMostSeconds = 86'400;
constexpr std::array<int, 5> kPresets{300, 900, 3'600, 21'600, kMostSeconds};
constexpr int kFirstPreset = 1;

} // namespace

DelayField::DelayField(QWidget* parent)
    : QWidget(parent),
      m_presets(new SegmentedSwitch(
          tr("Presets"), {tr("5 min"), tr("15 min"), tr("1 h"), tr("6 h"), tr("24 h")}, false, this)),
      m_seconds(new QSpinBox(this)), m_words(new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary))
{
    m_seconds->setRange(0, kMostSeconds);
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setGroupSeparatorShown(true);
    m_seconds->setAccessibleName(tr("Seconds from now"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    row->addWidget(m_presets);
    row->addWidget(m_seconds);
    row->addWidget(m_words, 1);
    m_seconds->setValue(kPresets[kFirstPreset]);
    show();
    connect(m_presets, &SegmentedSwitch::chosen, this,
            [this](int index) { m_seconds->setValue(kPresets[size_t(index)]); });
    connect(m_seconds, &QSpinBox::valueChanged, this, [this] {
        show();
        Q_EMIT changed();
    });
}

qint64 DelayField::delayMs() const
{
    return qint64(m_seconds->value()) * 1000;
}

void DelayField::show()
{
    const auto preset = std::find(kPresets.begin(), kPresets.end(), m_seconds->value());
    m_presets->setCurrent(preset == kPresets.end() ? -1 : int(preset - kPresets.begin()));
    m_words->setText(m_seconds->value() == 0 ? tr("due at once")
                                             : tr("%1 from now").arg(format::duration(delayMs())));
}

} // namespace redrive
