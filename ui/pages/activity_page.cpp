#include "ui/pages/activity_page.h"

#include "ui/models/activity_model.h"

namespace redrive {

ActivityPage::ActivityPage(const PageContext& context)
    : ListPage(context, new ActivityModel(*context.bridge), tr("Activity"))
{
    setVerbs({});
}

NavEntry ActivityPage::entry() const
{
    return {u"activity"_s, tr("Activity"), u"activity"_s, u"A"_s, {}};
}

QList<NavEntry> ActivityPage::children() const
{
    return {{u"activity/alerts"_s, tr("Alerts"), {}, {}, u"kind:alert"_s}};
}

QString ActivityPage::filterPlaceholder() const
{
    return tr("Filter activity: kind:action kind:alert by: type: status: redrive: age:<1h");
}

QString ActivityPage::emptySentence() const
{
    return tr("Nothing was done by hand and nothing was alerted yet.");
}

} // namespace redrive
