// Tells a machine without a network from endpoints that fail: offline is when, within a minute, attempts
// found neither route nor name, three of them at least, at three different hosts (two, where no more were
// tried for an hour), and nothing beyond this machine was reached; or one, where the machine has no network.
// Then one attempt at a time, after 5, 10, 20, 40, 60 s and so on, looks whether it is back. A copy is cheap.
// Pure; any thread.
#pragma once

#include "core/webhooks/lane.h"

#include <QHash>
#include <QString>

#include <optional>
#include <vector>

namespace redrive {

class OfflineWatch final
{
public:
    struct Miss
    {
        qint64 rowKey = 0; // the delivery, and which attempt of it
        int attempt = 0;
        QString host;
        qint64 atMs = 0; // steady
    };

    bool isOffline() const { return m_sinceMs.has_value(); }
    // Unix ms; where it is offline.
    std::optional<qint64> sinceMs() const { return m_sinceMs; }

    // An attempt found neither route nor name; `isCutOff`: the machine has no network. True when that makes
    // it offline.
    bool missed(Miss miss, bool isProbe, const Moment& now, bool isCutOff = false);
    // Something at the host was reached. True when it was offline until now.
    bool reached(const QString& host, const Moment& now);

    // The attempts that made it offline, the last one too.
    const std::vector<Miss>& misses() const { return m_misses; }

    // Steady ms; nothing: none is wanted, or one is under way.
    std::optional<qint64> nextProbeMs() const;
    void beginProbe(const QString& endpointId);
    // It says nothing about the network.
    void probeSaidNothing(const Moment& now);
    QString lastProbed() const { return m_lastProbed; }

private:
    void noteHost(const QString& host, const Moment& now);
    bool enoughHosts(const Moment& now) const;

    std::vector<Miss> m_misses;
    QHash<QString, qint64> m_tried; // hosts, and when about, steady
    std::optional<qint64> m_sinceMs;
    qint64 m_waitMs = 0;
    qint64 m_nextProbeMs = 0;
    bool m_probing = false;
    QString m_lastProbed;
};

} // namespace redrive
