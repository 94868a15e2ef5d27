#include "ui/shell/alert_notifier.h"

#include "ui/models/activity_words.h"

namespace redrive {

AlertNotifier::AlertNotifier(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge)
{
    connect(&bridge, &EngineBridge::changed, this, [this](const ChangeSet& changes) {
        if (changes.alerts || changes.everything)
            ask();
    });
    ask();
}

void AlertNotifier::ask()
{
    m_bridge.alertsAfter(this, m_newest.value_or(0),
                         m_asked.guard([this](const Result<QList<Alert>>& alerts) {
                             if (alerts)
                                 take(*alerts);
                         }));
}

void AlertNotifier::take(const QList<Alert>& alerts)
{
    const bool first = !m_newest;
    m_newest = alerts.isEmpty() ? m_newest.value_or(0) : alerts.first().no;
    if (first || alerts.isEmpty())
        return;
    m_unseen += int(alerts.size());
    Q_EMIT unseenChanged(m_unseen);
    const AlertHeadline headline = alertHeadline(alerts);
    Q_EMIT raised(headline.title, headline.text);
}

void AlertNotifier::setSeen()
{
    if (m_unseen == 0)
        return;
    m_unseen = 0;
    Q_EMIT unseenChanged(0);
}

} // namespace redrive
