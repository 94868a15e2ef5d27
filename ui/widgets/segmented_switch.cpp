#include "ui/widgets/segmented_switch.h"

#include "core/base/result.h"
#include "ui/widgets/buttons.h"

#include <QButtonGroup>
#include <QHBoxLayout>

namespace redrive {

SegmentedSwitch::SegmentedSwitch(const QString& accessibleName, const QStringList& choices, bool small,
                                 QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this))
{
    setAccessibleName(accessibleName);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (int i = 0; i < choices.size(); ++i) {
        auto* button = small ? makeSmallButton(choices[i], {}, this) : makeButton(choices[i], {}, this);
        button->setCheckable(true);
        button->setAccessibleName(accessibleName + u", "_s + choices[i]);
        const bool first = i == 0;
        const bool last = i == choices.size() - 1;
        button->setProperty("segment", first && last ? u"only"_s
                                       : first       ? u"first"_s
                                       : last        ? u"last"_s
                                                     : u"middle"_s);
        m_group->addButton(button, i);
        row->addWidget(button);
    }
    if (auto* button = m_group->button(0))
        button->setChecked(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentedSwitch::chosen);
}

int SegmentedSwitch::current() const
{
    return m_group->checkedId();
}

void SegmentedSwitch::setCurrent(int index)
{
    if (auto* button = m_group->button(index)) {
        button->setChecked(true);
    } else if (auto* chosen = m_group->checkedButton()) {
        m_group->setExclusive(false);
        chosen->setChecked(false);
        m_group->setExclusive(true);
    }
}

} // namespace redrive
