// Keeps this engine's leases alive and ends those of engines that are gone. One row per instance carries the
// lease of everything it holds: renewed every third of its length. An engine's operating-system lock that
// nobody holds proves it gone, whatever its lease says. Control thread.
#pragma once

#include "core/config/settings.h"
#include "core/feed/counters.h"
#include "core/store/engine_locks.h"
#include "core/store/instance_store.h"
#include "core/store/message_store.h"

#include <QHash>

namespace redrive {

class LeaseKeeper final : public CyclePart
{
public:
    // Gives back what an ended instance held beside messages; true when nothing is left.
    using Recoverer = std::function<Result<bool>(Cycle& cycle, qint64 endedInstanceNo)>;

    LeaseKeeper(const Settings& settings, QString databasePath, qint64 leaseMs, Counters& counters);

    void addRecoverer(Recoverer recoverer) { m_recoverers.push_back(std::move(recoverer)); }
    // The first turn of an engine: takes the lock and the instance number.
    Status begin(Cycle& cycle);
    // The last one: nothing is held any more.
    Status end(Cycle& cycle);
    qint64 instanceNo() const { return m_identity.no; }

    bool hasRecords(qint64 steadyMs) const override { return steadyMs >= m_renewAtSteadyMs; }
    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void rolledBack(const Error& error) override;
    std::optional<qint64> nextDeadline() const override;

private:
    Status renew(Cycle& cycle);
    Status lookForEnded(Cycle& cycle);
    bool hasEnded(const InstanceRow& instance, qint64 bootMs) const;
    Status recover(Cycle& cycle, const InstanceRow& instance);
    // True when nothing is left. What the database refuses stays, and the instance with it.
    Result<bool> giveBackSlice(Cycle& cycle, qint64 instanceNo);
    Status giveBack(Cycle& cycle, const AbandonedMessage& message);
    Status buryCrashed(Cycle& cycle, const AbandonedMessage& message);

    const Settings& m_settings;
    QString m_databasePath;
    qint64 m_leaseMs;
    Counters& m_counters;
    std::vector<Recoverer> m_recoverers;
    struct Identity // of this engine in the store
    {
        qint64 no = 0;
        std::optional<FileLock> lock;
    };
    struct Progress // in an ended instance's messages
    {
        qint64 afterSeq = 0;
        bool refused = false;
    };

    Identity m_identity;
    std::optional<Identity> m_former; // until the turn that took another one has committed
    QHash<qint64, Progress> m_recovering;
    qint64 m_renewAtSteadyMs = 0;
    qint64 m_lookAtSteadyMs = 0; // for ended engines
};

} // namespace redrive
