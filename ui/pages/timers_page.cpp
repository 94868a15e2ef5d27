#include "ui/pages/timers_page.h"

#include "ui/models/timers_model.h"

namespace redrive {

TimersPage::TimersPage(const PageContext& context)
    : ListPage(context, new TimersModel(*context.bridge), tr("Timers"))
{
    const auto any = [](const RowValue&) { return true; };
    const auto isJob = [](const RowValue& row) { return !std::get<TimerRow>(row).isDelivery; };
    setVerbs({
        {ActionVerb::RunNow, u"N"_s, any, {}},
        {ActionVerb::Postpone, u"P"_s, any, {}},
        {ActionVerb::Edit, u"E"_s, isJob, tr("A delivery's body is its event's and cannot be edited.")},
        {ActionVerb::Cancel, u"X"_s, any, {}, true},
    });
}

NavEntry TimersPage::entry() const
{
    return {u"timers"_s, tr("Timers"), u"timers"_s, u"T"_s, {}};
}

QString TimersPage::filterPlaceholder() const
{
    return tr("Filter timers: type: queue: endpoint: error: attempt: next:<5m id:");
}

qint64 TimersPage::total() const
{
    const auto& counts = bridge().counts();
    return counts ? counts->timers : -1;
}

QString TimersPage::emptySentence() const
{
    return tr("No timers: nothing waits for a retry or a delay.");
}

} // namespace redrive
