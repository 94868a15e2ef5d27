#include "ui/pages/console_pages.h"

#include "ui/pages/activity_page.h"
#include "ui/pages/dead_letters_page.h"
#include "ui/pages/deliveries_page.h"
#include "ui/pages/endpoints_page.h"
#include "ui/pages/instances_page.h"
#include "ui/pages/jobs_page.h"
#include "ui/pages/overview_page.h"
#include "ui/pages/queues_page.h"
#include "ui/pages/settings_page.h"
#include "ui/pages/telemetry_page.h"
#include "ui/pages/timers_page.h"

namespace redrive {

QList<Page*> makePages(const PageContext& context)
{
    return {new OverviewPage(context),    new JobsPage(context),       new TimersPage(context),
            new DeadLettersPage(context), new DeliveriesPage(context), new EndpointsPage(context),
            new QueuesPage(context),      new TelemetryPage(context),  new InstancesPage(context),
            new ActivityPage(context),    new SettingsPage(context)};
}

} // namespace redrive
