#include "ui/shell/failing_targets.h"

namespace redrive {

FailingTargets::FailingTargets(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge)
{
    connect(&bridge, &EngineBridge::changed, this, [this](const ChangeSet& changes) {
        if (changes.alerts || changes.everything)
            ask();
    });
    ask();
}

void FailingTargets::ask()
{
    m_bridge.alertTargets(this, m_asked.guard([this](const Result<QList<AlertTargetRow>>& targets) {
        if (targets)
            take(*targets);
    }));
}

void FailingTargets::take(const QList<AlertTargetRow>& targets)
{
    m_failing.clear();
    for (const AlertTargetRow& target : targets)
        if (target.failingSinceMs)
            m_failing.append({target.form, target.place, *target.failingSinceMs, target.lastError});
    Q_EMIT changed();
}

EngineHealth FailingTargets::addedTo(EngineHealth health) const
{
    health.alertFailures += m_failing;
    return health;
}

} // namespace redrive
