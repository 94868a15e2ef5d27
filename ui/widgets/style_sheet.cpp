#include "ui/widgets/style_sheet.h"

#include "ui/widgets/look.h"

namespace redrive {

QString chromeSheet(const Look& look)
{
    auto sheet = uR"(
QToolTip { background: %tooltip; color: %onTooltip; border: 0; padding: 4px 8px; }
QStatusBar::item { border: 0; }
)"_s;
    sheet.replace(u"%tooltip"_s, look.background.tooltip.name());
    sheet.replace(u"%onTooltip"_s, look.text.onTooltip.name());
    return sheet;
}

} // namespace redrive
