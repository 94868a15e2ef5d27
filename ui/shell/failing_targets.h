// The targets at which no alert arrives, as the store says: for a window whose own engine posts none and so
// does not hear of it. Window thread.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/bridge/latest.h"

namespace redrive {

class FailingTargets final : public QObject
{
    Q_OBJECT
public:
    explicit FailingTargets(EngineBridge& bridge, QObject* parent = nullptr);

    // The same with what fails elsewhere. A secret that only this process lacks keeps nobody from posting.
    EngineHealth addedTo(EngineHealth health) const;

Q_SIGNALS:
    void changed();

private:
    void ask();
    void take(const QList<AlertTargetRow>& targets);

    EngineBridge& m_bridge;
    Latest m_asked;
    QList<AlertFailure> m_failing;
};

} // namespace redrive
