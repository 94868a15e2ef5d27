// What the engine made of tables says of alerts and activity.
#include "tests/ui/support/fake_engine.h"

namespace redrive::test {

void FakeEngine::alertTargets(Reply<QList<AlertTargetRow>> reply)
{
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto targets = m_alertTargets;
        lock.unlock();
        reply(targets);
    });
}

void FakeEngine::testAlert(const QString& targetId, Reply<AlertTestResult> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_alertTests.append(targetId);
    }
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto result = m_alertTested;
        lock.unlock();
        reply(result);
    });
}

void FakeEngine::alertsAfter(qint64 no, Reply<QList<Alert>> reply)
{
    later([this, no, reply] {
        QList<Alert> newer;
        {
            const std::lock_guard lock(m_mutex);
            for (const Alert& alert : std::as_const(m_alerts))
                if (alert.no > no)
                    newer.append(alert);
        }
        reply(newer);
    });
}

void FakeEngine::activityDetail(qint64, Reply<ActivityDetail> reply)
{
    later([this, reply] {
        std::unique_lock lock(m_mutex);
        const auto detail = m_activityDetail;
        lock.unlock();
        reply(detail);
    });
}

} // namespace redrive::test
