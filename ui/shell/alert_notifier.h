// Tells of new alerts: says what a desktop notification shows and how many nobody has looked at. The engine
// makes at most one alert for a group of failures in its window. Window thread.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/bridge/latest.h"

namespace redrive {

class AlertNotifier final : public QObject
{
    Q_OBJECT
public:
    explicit AlertNotifier(EngineBridge& bridge, QObject* parent = nullptr);

    int unseen() const { return m_unseen; }
    void setSeen(); // the operator looks at them

Q_SIGNALS:
    void raised(const QString& title, const QString& text);
    void unseenChanged(int count);

private:
    void ask();
    void take(const QList<Alert>& alerts);

    EngineBridge& m_bridge;
    Latest m_asked;
    std::optional<qint64> m_newest; // nothing: what was there before the window is no news
    int m_unseen = 0;
};

} // namespace redrive
